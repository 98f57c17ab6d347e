// Reads objects as JSON, Python and JavaScript write them: single or double quotes, unquoted names, True and None, and
// trailing commas.

const WORDS = { true: true, True: true, false: false, False: false, null: null, None: null, undefined: null };
const ESCAPES = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/** `{value, end}` of the literal that begins at `start` in a text, and where it ends; throws if there is none. */
export function readLiteral(text, start) {
  let at = start;

  const skip = () => {
    at += /^(?:\s|\/\/.*|#.*)*/.exec(text.slice(at))[0].length;
  };
  const take = (char) => {
    skip();
    if (text[at] !== char) return false;
    at += 1;
    return true;
  };
  const expect = (char) => {
    if (!take(char)) throw new SyntaxError(`${char} is missing`);
  };
  const match = (pattern) => {
    skip();
    const found = pattern.exec(text.slice(at, at + 10_000))?.[0];
    if (found === undefined) throw new SyntaxError('no value');
    at += found.length;
    return found;
  };
  const string = () => {
    const found = match(/^(?:"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*')/);
    return found
      .slice(1, -1)
      .replace(/\\(?:u([0-9a-fA-F]{4})|([^]))/g, (_, code, char) => (code ? String.fromCharCode(parseInt(code, 16)) : (ESCAPES[char] ?? char)));
  };
  const members = (end, read) => {
    at += 1;
    for (let more = true; more && !take(end); more = take(',')) {
      read();
      skip();
      if (text[at] !== ',') {
        expect(end);
        return;
      }
    }
  };
  const value = () => {
    skip();
    const char = text[at];
    if (char === '{') {
      const object = {};
      members('}', () => {
        skip();
        const name = /["']/.test(text[at]) ? string() : match(/^[A-Za-z_]\w*/);
        expect(':');
        object[name] = value();
      });
      return object;
    }
    if (char === '[') {
      const list = [];
      members(']', () => list.push(value()));
      return list;
    }
    if (char === '"' || char === "'") return string();
    const word = match(/^(?:[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[A-Za-z]+)/);
    if (Object.hasOwn(WORDS, word)) return WORDS[word];
    if (/^[A-Za-z]/.test(word)) throw new SyntaxError(`${word} is no value`);
    return Number(word);
  };
  return { value: value(), end: at };
}
