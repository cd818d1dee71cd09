// What is fetched once and shown by several parts of the page.

import { useEffect, useState } from "./h.js";
import { Problem, Unreachable, pause } from "./api.js";

/** What a question to the service gives; it is asked anew when `keys` change and again while nobody answers. */
export function useAnswer(question, keys) {
  const [found, setFound] = useState({ value: null, problem: null, lost: false });
  useEffect(() => {
    let wanted = true;
    const asking = async () => {
      for (let wait = 500; wanted; wait = Math.min(wait * 2, 8000)) {
        try {
          const value = await question();
          if (wanted) setFound({ value, problem: null, lost: false });
          return;
        } catch (error) {
          if (!wanted) return;
          if (error instanceof Problem) {
            setFound({ value: null, problem: error, lost: false });
            return;
          }
          if (!(error instanceof Unreachable)) throw error;
          setFound((before) => ({ ...before, lost: true }));
          await pause(wait);
        }
      }
    };
    void asking();
    return () => {
      wanted = false;
    };
  }, keys);
  return found;
}
