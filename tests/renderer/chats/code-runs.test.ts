import { expect, test } from 'vitest';
import { codeRuns } from '../../../renderer/chats/code-runs.ts';

test.each([
  ['Fix `a_b` and:\n```py\nx\n```\nthanks', ['`a_b`', '```py\nx\n```']],
  ['````md\n```js\nx\n```\n````\nend', ['````md\n```js\nx\n```\n````']],
  ['~~~js\n```\n~~~\nend', ['~~~js\n```\n~~~']],
  ['- item:\n  ```js\n  a()\n  ```\n> ```\n> q\n> ```\nend', ['  ```js\n  a()\n  ```', '> ```\n> q\n> ```']],
  ['```\n\n```\n```js\n\n```', ['```\n\n```', '```js\n\n```']],
  ['text\n```\nopen\n\nx', ['```\nopen\n\nx']],
  ['`` a`b `` and `open and ```c``` x', ['`` a`b ``', '```c```']],
  ['和```多行\n代码```', ['```多行\n代码```']],
  ['`x` and `y``z` and ```js const a = 1```', ['`x`', '`y``z`', '```js const a = 1```']],
  ['\\` no \\`, it`s\n\ndon`t', []],
])('in %j, %j is code', (text, code) => {
  const runs = codeRuns(text);
  expect(runs.map((run) => run.text).join('')).toBe(text);
  expect(runs.filter(({ isCode }) => isCode).map((run) => run.text)).toEqual(code);
});
