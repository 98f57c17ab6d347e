// Shell commands: curl and the service's own CLI; and splitting a pasted command into words.
import { json, leaves } from './request.js';

// curl exits with 22 when the server refuses; the file then has the error instead of a picture.
const written = (output) => `-o ${quoted(output)} ||
  { [ $? -eq 22 ] && cat ${quoted(output)} >&2 && rm ${quoted(output)}; false; }
`;

export function curl(request) {
  const { address, settings, source, output } = request;
  if (request.devices) return curlScene(request);
  const head = begun(address);
  if (source.url) {
    const body = json({ screenshot_url: source.url, settings });
    return `${head}  -H 'Content-Type: application/json' \\\n  -d ${quoted(body)} \\\n  ${written(output)}`;
  }
  const file = source.file ? attached(source.file) : '-;filename=sample.png';
  const first = source.file ? '' : `curl -fsS ${quoted(source.sample)} | `;
  const parts = `  -F ${quoted(`screenshot=@${file}`)} \\\n  --form-string ${quoted(`settings=${json(settings)}`)}`;
  return `${first}${head}${parts} \\\n  ${written(output)}`;
}

function curlScene({ address, settings, devices, sources, output }) {
  const fields = [`--form-string ${quoted(`settings=${json(settings)}`)}`, `--form-string ${quoted(`devices=${json(devices)}`)}`];
  const files = filesOf(sources).map(([at, name]) => `-F ${quoted(`devices[${at}].screenshot=@${attached(name)}`)}`);
  return `${fetched(sources)}${begun(address)}  -F type=scene \\\n${[...fields, ...files].map((one) => `  ${one} \\\n`).join('')}  ${written(output)}`;
}

const begun = (address) => `curl --fail-with-body -sS ${quoted(address)} \\
  -H "Authorization: Bearer $MOCKUP_KEY" \\
`;

// Also quoted for curl, which gives commas and semicolons in names a meaning of its own.
const attached = (name) => `"${name.replace(/["\\]/g, '\\$&')}"`;

// The lines that fetch a scene's samples into files, and the names of all its files by the places of their
// devices.
const fetched = (sources) => [...new Set(sources.flatMap((one) => one?.sample ?? []))].map((url) => `curl -fsSO ${quoted(url)}\n`).join('');
const filesOf = (sources) => sources.flatMap((one, at) => (one ? [[at, one.file ?? one.sample.split('/').at(-1)]] : []));

/** The input of `mockup scene`, with each screenshot as a file's name or a URL. */
export function sceneFile({ settings, devices, sources }) {
  const named = new Map(filesOf(sources));
  const listed = devices.map((device, at) => {
    const shot = device.screenshot?.type === 'url' ? device.screenshot.src : (device.screenshot ?? named.get(at));
    return { ...device, screenshot: shot };
  });
  return { devices: listed, settings };
}

export function command(request) {
  const { settings, source, output } = request;
  if (request.devices) {
    const file = JSON.stringify(sceneFile(request), null, 2);
    return `${fetched(request.sources)}cat > scene.json <<'JSON'\n${file}\nJSON\nmockup scene scene.json -o ${quoted(output)}\n`;
  }
  const { device, ...rest } = settings;
  const options = [
    ...(device ? [`--device ${quoted(typeof device === 'string' ? device : JSON.stringify(device))}`] : []),
    ...leaves(rest).map(([path, one]) => `--set ${quoted(`${path}=${typeof one === 'string' ? one : JSON.stringify(one)}`)}`),
  ];
  const first = source.sample ? `curl -fsS ${quoted(source.sample)} | \\\n` : '';
  const input = source.sample ? '-' : quoted(source.url ?? (source.file.startsWith('-') ? `./${source.file}` : source.file));
  return `${first}${[`mockup render ${input} -o ${quoted(output)}`, ...options].join(' \\\n  ')}\n`;
}

/** A word, quoted for shells. */
export function quoted(text) {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The words of a shell's line, without the quotes. */
export function words(text) {
  const joined = text.replace(/\\\r?\n/g, ' ');
  return [...joined.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g, (_, single, double, escaped) => single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped),
  );
}
