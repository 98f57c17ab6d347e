// Shells: curl, and the service's own command line; and the words of a line that someone pastes.
import { json, leaves } from './request.js';

// curl exits with 22 when the server refuses; the file then has the error instead of a picture.
const written = (output) => `-o ${quoted(output)} ||
  { [ $? -eq 22 ] && cat ${quoted(output)} >&2 && rm ${quoted(output)}; false; }
`;

export function curl({ address, settings, source, output }) {
  const head = `curl --fail-with-body -sS ${quoted(address)} \\
  -H "Authorization: Bearer $MOCKUP_KEY" \\
`;
  if (source.url) {
    const body = json({ screenshot_url: source.url, settings });
    return `${head}  -H 'Content-Type: application/json' \\\n  -d ${quoted(body)} \\\n  ${written(output)}`;
  }
  // Quoted for curl too, which reads commas and semicolons in names as its own.
  const file = source.file ? `"${source.file.replace(/["\\]/g, '\\$&')}"` : '-;filename=sample.png';
  const first = source.file ? '' : `curl -fsS ${quoted(source.sample)} | `;
  const parts = `  -F ${quoted(`screenshot=@${file}`)} \\\n  --form-string ${quoted(`settings=${json(settings)}`)}`;
  return `${first}${head}${parts} \\\n  ${written(output)}`;
}

export function command({ settings, source, output }) {
  const { device, ...rest } = settings;
  const options = [
    ...(device ? [`--device ${quoted(typeof device === 'string' ? device : JSON.stringify(device))}`] : []),
    ...leaves(rest).map(([path, one]) => `--set ${quoted(`${path}=${typeof one === 'string' ? one : JSON.stringify(one)}`)}`),
  ];
  const first = source.sample ? `curl -fsS ${quoted(source.sample)} | \\\n` : '';
  const input = source.sample ? '-' : quoted(source.url ?? (source.file.startsWith('-') ? `./${source.file}` : source.file));
  return `${first}${[`mockup render ${input} -o ${quoted(output)}`, ...options].join(' \\\n  ')}\n`;
}

function quoted(text) {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The words of a shell's line, without the quotes. */
export function words(text) {
  const joined = text.replace(/\\\r?\n/g, ' ');
  return [...joined.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g, (_, single, double, escaped) => single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped),
  );
}
