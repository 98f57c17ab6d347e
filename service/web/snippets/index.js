// The snippets that can be copied. To add a language, write its snippet and a line here.
import { goSnippet, javaScriptSnippet, pythonSnippet } from './languages.js';
import { command, curl, sceneFile } from './shell.js';

/** `write` gets a request of `request.js`, and gives the text. */
export const SNIPPETS = [
  { id: 'curl', title: 'curl', write: curl },
  { id: 'python', title: 'Python', write: pythonSnippet },
  { id: 'javascript', title: 'JavaScript', write: javaScriptSnippet },
  { id: 'go', title: 'Go', write: goSnippet },
  { id: 'command', title: 'Command line', write: command },
  { id: 'json', title: 'Settings (JSON)', write: (request) => `${JSON.stringify(request.devices ? sceneFile(request) : request.settings, null, 2)}\n` },
];
