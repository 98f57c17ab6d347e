// Programs that make the present picture, with nothing but what comes with their language.
import { json } from './request.js';

const python = {
  file: (name) => `pathlib.Path(${JSON.stringify(name)}).read_bytes()`,
  sample: (url) => `urllib.request.urlopen(${JSON.stringify(url)}).read()`,
};

export function pythonSnippet({ address, settings, source, output }) {
  const read = source.file ? python.file(source.file) : source.sample && python.sample(source.sample);
  const shot = source.url ? `"screenshot_url": ${JSON.stringify(source.url)}` : '"screenshot_base64": base64.b64encode(screenshot).decode()';
  return `${source.url ? '' : 'import base64\n'}import json
import os
import pathlib
import sys
import urllib.error
import urllib.request

${source.url ? '' : `screenshot = ${read}\n`}settings = ${literal(settings)}
body = {${shot}, "settings": settings}
request = urllib.request.Request(
    ${JSON.stringify(address)},
    json.dumps(body).encode(),
    {"Authorization": f"Bearer {os.environ['MOCKUP_KEY']}", "Content-Type": "application/json"},
)
try:
    with urllib.request.urlopen(request) as response:
        pathlib.Path(${JSON.stringify(output)}).write_bytes(response.read())
except urllib.error.HTTPError as error:
    sys.exit(error.read().decode())
`;
}

// JSON's words for true, false and null are others in Python; texts are left alone.
function literal(settings) {
  const names = { true: 'True', false: 'False', null: 'None' };
  return json(settings, 4).replace(/"(?:\\.|[^"\\])*"|\b(?:true|false|null)\b/g, (word) => names[word] ?? word);
}

export function javaScriptSnippet({ address, settings, source, output }) {
  const read = source.file
    ? `await readFile(${JSON.stringify(source.file)})`
    : `Buffer.from(await (await fetch(${JSON.stringify(source.sample)})).arrayBuffer())`;
  const shot = source.url ? `screenshot_url: ${JSON.stringify(source.url)}` : "screenshot_base64: screenshot.toString('base64')";
  return `// Node.js 18 or newer, as a module: node mockup.mjs
import { ${source.file ? 'readFile, ' : ''}writeFile } from 'node:fs/promises';

${source.url ? '' : `const screenshot = ${read};\n`}const settings = ${json(settings)};
const response = await fetch(${JSON.stringify(address)}, {
  method: 'POST',
  headers: { Authorization: \`Bearer \${process.env.MOCKUP_KEY}\`, 'Content-Type': 'application/json' },
  body: JSON.stringify({ ${shot}, settings }),
});
if (!response.ok) throw new Error(await response.text());
await writeFile(${JSON.stringify(output)}, Buffer.from(await response.arrayBuffer()));
`;
}

/** How Go writes a backtick within a raw string. */
export const BACKTICK = '` + "`" + `';

export function goSnippet({ address, settings, source, output }) {
  const raw = `\`${json(settings).replaceAll('`', BACKTICK)}\``;
  const read = source.file
    ? `	screenshot, err := os.ReadFile(${JSON.stringify(source.file)})
	check(err)
`
    : source.sample
      ? `	sample, err := http.Get(${JSON.stringify(source.sample)})
	check(err)
	screenshot, err := io.ReadAll(sample.Body)
	check(err)
`
      : '';
  const name = source.url ? 'screenshot_url' : 'screenshot_base64';
  const shot = source.url ? JSON.stringify(source.url) : 'base64.StdEncoding.EncodeToString(screenshot)';
  // gofmt aligns the values.
  const gap = ' '.repeat(name.length - 'settings'.length);
  return `package main

import (
	"bytes"
${source.url ? '' : '	"encoding/base64"\n'}	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
)

const settings = ${raw}

func main() {
${read}	body, err := json.Marshal(map[string]any{
		"${name}": ${shot},
		"settings": ${gap}json.RawMessage(settings),
	})
	check(err)
	request, err := http.NewRequest("POST", ${JSON.stringify(address)}, bytes.NewReader(body))
	check(err)
	request.Header.Set("Authorization", "Bearer "+os.Getenv("MOCKUP_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	check(err)
	defer response.Body.Close()
	picture, err := io.ReadAll(response.Body)
	check(err)
	if response.StatusCode != http.StatusOK {
		log.Fatal(string(picture))
	}
	check(os.WriteFile(${JSON.stringify(output)}, picture, 0o644))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
`;
}
