({
  "cards are as large as there is room for, and no smaller where that would not help": async ({ load, equal }) => {
    const { largestFitting } = await load("fitting.js");
    equal(largestFitting([300, 280, 260, 240, 220, 200], 400), 1);
    equal(largestFitting([500, 450, 400, 350, 300, 250], 400), 0.8);
    // Something else is too high: no size changes it.
    equal(largestFitting([500, 500, 500, 500, 500, 500], 400), 1);
    equal(largestFitting([700, 600, 500, 500, 500, 500], 400), 0.8);
  },
})
