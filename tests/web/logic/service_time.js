({
  "the time is the service's, whatever the reader's clock says": async ({ load, equal }) => {
    const { Api } = await load("api.js");
    const { serviceNow, setByAnswer } = await load("service_time.js");
    const ahead = async (headers) => {
      await new Api("", async () => Response.json({}, { headers })).variants();
      return Math.round((serviceNow() - Date.now()) / 60_000);
    };
    const dated = (minutes) => ({ Date: new Date(Date.now() + minutes * 60_000).toUTCString() });
    equal(await ahead(dated(300)), 300);
    equal(await ahead(dated(-90)), -90);
    // What tells no time changes nothing.
    equal([await ahead({}), await ahead({ Date: "soon" })], [-90, -90]);
    // A clock that is right is left alone, though the header knows no milliseconds.
    setByAnswer(new Headers({ Date: new Date(1_767_261_600_000).toUTCString() }), 1_767_261_600_999);
    equal(Math.abs(serviceNow() - Date.now()) < 50, true);
  },

  "a refusal tells the time as well": async ({ load, equal }) => {
    const { Api, Problem } = await load("api.js");
    const { serviceNow, setByAnswer } = await load("service_time.js");
    const late = new Date(Date.now() + 7_200_000).toUTCString();
    const api = new Api("", async () => Response.json({ code: "not_found" }, { status: 404, headers: { Date: late } }));
    equal(await api.bots().then(() => null, (error) => error instanceof Problem), true);
    equal(Math.round((serviceNow() - Date.now()) / 3_600_000), 2);
    setByAnswer(new Headers({ Date: new Date().toUTCString() }));
  },
})
