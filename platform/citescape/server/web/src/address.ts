// The state of a page in its address, and in the history of the browser.
//
// Some pages write their address without it, so that Back leaves them:
// - related and check: a list may be too long for an address, and the tab keeps only the last one,
//   so that a step back could show another list than that of its address;
// - the console: the address is that of the query that ran, and a step back must not run one;
// - colours, selection and view of a map, which a movement changes many times in a second.
import { useLayoutEffect, useRef, useState } from "preact/hooks";

// Back and Forward undo and repeat changes of `step`; other changes replace the entry of the history.
export function useAddress<State>(
  read: () => State, write: (state: State) => string, step: (state: State) => string,
): [State, (state: State) => void] {
  const [state, setState] = useState(read);
  const last = useRef(step(state));
  const address = write(state);
  // Before the next event, which may be another step back.
  useLayoutEffect(() => {
    const isStep = step(state) !== last.current;
    last.current = step(state);
    if (address === location.pathname + location.search + location.hash) return;
    if (isStep) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  }, [address]);
  useLayoutEffect(() => {
    // Comes with an edit of the part behind #, too.
    const follow = () => {
      const now = read();
      last.current = step(now);
      setState(now);
    };
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  });
  return [state, setState];
}
