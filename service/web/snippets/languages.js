// Programs that make the present picture with their language's standard library alone.
import { json } from './request.js';

const python = {
  file: (name) => `pathlib.Path(${JSON.stringify(name)}).read_bytes()`,
  sample: (url) => `urllib.request.urlopen(${JSON.stringify(url)}).read()`,
};

export function pythonSnippet(request) {
  const { address, settings, source, output } = request;
  if (request.devices) return pythonProgram({ ...request, screenshots: true, before: pythonScene(request), body: '{"type": "scene", "devices": devices, "settings": settings}' });
  const read = source.file ? python.file(source.file) : source.sample && python.sample(source.sample);
  const shot = source.url ? `"screenshot_url": ${JSON.stringify(source.url)}` : '"screenshot_base64": base64.b64encode(screenshot).decode()';
  const before = `${source.url ? '' : `screenshot = ${read}\n`}settings = ${literal(settings)}\n`;
  return pythonProgram({ address, output, screenshots: !source.url, before, body: `{${shot}, "settings": settings}` });
}

function pythonProgram({ address, output, screenshots, before, body }) {
  return `${screenshots ? 'import base64\n' : ''}import json
import os
import pathlib
import sys
import urllib.error
import urllib.request

${before}body = ${body}
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

function pythonScene({ settings, devices, sources }) {
  const read = sources.flatMap((one, at) => (one ? `    ${at}: ${one.file ? python.file(one.file) : python.sample(one.sample)},\n` : []));
  return `screenshots = {
${read.join('')}}
settings = ${literal(settings)}
devices = ${literal(devices)}
for place, screenshot in screenshots.items():
    devices[place]["screenshot"] = {"type": "base64", "src": base64.b64encode(screenshot).decode()}
`;
}

// Python writes true, false and null differently from JSON; texts are not changed.
function literal(settings) {
  const names = { true: 'True', false: 'False', null: 'None' };
  return json(settings, 4).replace(/"(?:\\.|[^"\\])*"|\b(?:true|false|null)\b/g, (word) => names[word] ?? word);
}

const javaScript = {
  file: (name) => `await readFile(${JSON.stringify(name)})`,
  sample: (url) => `Buffer.from(await (await fetch(${JSON.stringify(url)})).arrayBuffer())`,
};

export function javaScriptSnippet(request) {
  const { address, settings, source, output } = request;
  if (request.devices) {
    const read = request.sources.flatMap((one, at) => (one ? `  [${at}, ${one.file ? javaScript.file(one.file) : javaScript.sample(one.sample)}],\n` : []));
    const before = `const settings = ${json(settings)};
const devices = ${json(request.devices)};
const screenshots = [
${read.join('')}];
for (const [place, screenshot] of screenshots) {
  devices[place].screenshot = { type: 'base64', src: screenshot.toString('base64') };
}
`;
    return javaScriptProgram({ address, output, reads: request.sources.some((one) => one?.file), before, body: "{ type: 'scene', devices, settings }" });
  }
  const read = source.file ? javaScript.file(source.file) : javaScript.sample(source.sample);
  const shot = source.url ? `screenshot_url: ${JSON.stringify(source.url)}` : "screenshot_base64: screenshot.toString('base64')";
  const before = `${source.url ? '' : `const screenshot = ${read};\n`}const settings = ${json(settings)};\n`;
  return javaScriptProgram({ address, output, reads: Boolean(source.file), before, body: `{ ${shot}, settings }` });
}

function javaScriptProgram({ address, output, reads, before, body }) {
  return `// Node.js 18 or newer, as a module: node mockup.mjs
import { ${reads ? 'readFile, ' : ''}writeFile } from 'node:fs/promises';

${before}const response = await fetch(${JSON.stringify(address)}, {
  method: 'POST',
  headers: { Authorization: \`Bearer \${process.env.MOCKUP_KEY}\`, 'Content-Type': 'application/json' },
  body: JSON.stringify(${body}),
});
if (!response.ok) throw new Error(await response.text());
await writeFile(${JSON.stringify(output)}, Buffer.from(await response.arrayBuffer()));
`;
}

/** How Go writes a backtick within a raw string. */
export const BACKTICK = '` + "`" + `';

const raw = (value) => `\`${json(value).replaceAll('`', BACKTICK)}\``;

export function goSnippet(request) {
  const { settings, source } = request;
  if (request.devices) return goProgram({ ...request, encodes: true, constants: `${goScene(request)}const settings = ${raw(settings)}`, ...goDevices(request) });
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
  const members = `		"${name}": ${shot},
		"settings": ${gap}json.RawMessage(settings),
`;
  return goProgram({ ...request, encodes: !source.url, constants: `const settings = ${raw(settings)}`, read, members, ends: '' });
}

const goScene = ({ devices }) => `const devices = ${raw(devices)}\n\n`;

function goDevices({ sources }) {
  const loads = sources.flatMap((one, at) => (one ? `		${at}: ${one.file ? `file(${JSON.stringify(one.file)})` : `fetched(${JSON.stringify(one.sample)})`},\n` : []));
  const file = `
func file(name string) []byte {
	content, err := os.ReadFile(name)
	check(err)
	return content
}
`;
  const fetched = `
func fetched(address string) []byte {
	response, err := http.Get(address)
	check(err)
	content, err := io.ReadAll(response.Body)
	check(err)
	return content
}
`;
  return {
    read: `	var listed []map[string]any
	check(json.Unmarshal([]byte(devices), &listed))
	screenshots := map[int][]byte{
${loads.join('')}	}
	for place, screenshot := range screenshots {
		src := base64.StdEncoding.EncodeToString(screenshot)
		listed[place]["screenshot"] = map[string]any{"type": "base64", "src": src}
	}
`,
    members: `		"type":     "scene",
		"devices":  listed,
		"settings": json.RawMessage(settings),
`,
    ends: `${sources.some((one) => one?.file) ? file : ''}${sources.some((one) => one?.sample) ? fetched : ''}`,
  };
}

function goProgram({ address, output, encodes, constants, read, members, ends }) {
  return `package main

import (
	"bytes"
${encodes ? '	"encoding/base64"\n' : ''}	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
)

${constants}

func main() {
${read}	body, err := json.Marshal(map[string]any{
${members}	})
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
${ends}
func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
`;
}
