// Repeats requests that a busy server refused.

const TRIES = 8;
const WAIT_S = 3; // the wait if the server does not say how long

/**
 * An object that repeats requests: `run` repeats an action until the server has time for it, and `stop` ends a wait.
 * `told` is called with the seconds to wait, or 0.
 */
export function patient(told) {
  let wake = () => {};
  const self = {
    stopped: false,
    stop() {
      self.stopped = true;
      wake();
    },
    async run(action) {
      for (let left = TRIES; ; left -= 1) {
        try {
          return await action();
        } catch (error) {
          if (![0, 429, 503].includes(error.status) || left <= 1 || self.stopped) throw error;
          const seconds = error.retryAfter ?? WAIT_S;
          told(seconds);
          await new Promise((resolve) => {
            wake = resolve;
            setTimeout(resolve, seconds * 1000);
          });
          if (self.stopped) throw error;
          told(0);
        }
      }
    },
  };
  return self;
}
