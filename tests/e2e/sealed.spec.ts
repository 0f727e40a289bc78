import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { axe } from './support/axe.ts';
import { expect, test } from './support/test.ts';

test.use({ directed: true });

const fenced = (language: string, text: string): string => `say \`\`\`${language}\n${text}\n\`\`\``;

/** A server that nobody should speak to: it counts every connection and datagram, whatever they hold. */
async function startListener(): Promise<{ port: number; contacts: string[]; close: () => void }> {
  const contacts: string[] = [];
  const tcp = createServer((socket) => {
    contacts.push('connection');
    socket.on('data', (data) => contacts.push(data.toString('latin1').slice(0, 80)));
    socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket('udp4', () => contacts.push('datagram')).bind(port, '127.0.0.1');
  await once(udp, 'listening');
  return {
    port,
    contacts,
    close: () => {
      tcp.close();
      udp.close();
    },
  };
}

/** Everything by which a page could tell somebody something, or leave its frame. */
const hostilePage = (address: string): string => `<!doctype html>
<html><head>
<base href="${address}/base/">
<meta http-equiv="refresh" content="0;url=${address}/refresh">
<link rel="stylesheet" href="${address}/style.css"><link rel="preconnect" href="${address}">
<link rel="dns-prefetch" href="${address}"><link rel="prefetch" href="${address}/prefetch">
<link rel="preload" as="image" href="${address}/preload"><link rel="icon" href="${address}/icon">
<link rel="modulepreload" href="${address}/module.js"><link rel="manifest" href="${address}/manifest">
<style>@import "${address}/import.css"; @font-face { font-family: far; src: url(${address}/font.woff2) }
body { background: url(${address}/background.png); font-family: far } h1 { color: rgb(200, 0, 0) }</style>
<script>owned()</script><script src="${address}/script.js"></script>
<script type="speculationrules">{"prefetch":[{"urls":["${address}/speculation"]}]}</script>
</head><body onload="top.location='${address}/top'">
<h1>Still here</h1>
<img src="${address}/image.png" srcset="${address}/set.png 2x" onerror="fetch('${address}/fetch')">
<img src="data:image/png;base64,x" onerror="parent.postMessage({type:'failed',reason:'forged'},'*');window.open('${address}/open')">
<video autoplay src="${address}/video" poster="${address}/poster"></video><audio autoplay src="${address}/audio"></audio>
<iframe src="${address}/frame"></iframe><iframe srcdoc="<script>fetch('${address}/nested')</script>"></iframe>
<object data="${address}/object"></object><embed src="${address}/embed">
<svg><image href="${address}/svg-image"/><use href="${address}/use#x"/><script>fetch('${address}/svg-script')</script></svg>
<a id="link" href="${address}/link" ping="${address}/ping" target="_top">link</a>
<form id="form" action="${address}/form" target="_top"><input name="a" autofocus><button id="send">send</button></form>
<input type="image" src="${address}/input"><table background="${address}/table"><tr><td>x</td></tr></table>
<script>while (true) new RTCPeerConnection({ iceServers: [{ urls: 'stun:${address.slice(7)}' }] });</script>
</body></html>`;

test('a web page is shown without its scripts, and reaches nobody', async ({
  page,
  service,
  chat,
  watch,
}) => {
  watch.expected.push(/Content Security Policy|sandbox|Failed to load resource/i);
  const listener = await startListener();
  await chat.open(service.pageUrl);
  await chat.say(fenced('html', hostilePage(`http://127.0.0.1:${listener.port}`)));
  const reply = chat.replies.last();
  await expect(reply).toHaveAttribute('data-status', 'complete');
  await expect(page.locator('iframe')).toHaveCount(0);
  const show = reply.getByRole('button', { name: 'Show', exact: true });
  await show.click();
  const shown = page.frameLocator('iframe[title="Web page"]').frameLocator('iframe');
  await expect(shown.getByRole('heading', { name: 'Still here' })).toHaveCSS('color', 'rgb(200, 0, 0)');
  await expect(reply).toContainText('Scripts don’t run here');
  await shown.locator('#link').click();
  await shown.locator('#send').click();
  await expect(shown.getByRole('heading', { name: 'Still here' })).toBeVisible();
  expect(page.url()).toContain(service.baseUrl);
  expect(page.context().pages()).toHaveLength(1);
  await expect(reply.getByRole('alert')).toHaveCount(0);
  expect((await axe(page).analyze()).violations).toEqual([]);

  await show.click();
  await expect(page.locator('iframe')).toHaveCount(0);
  await expect(reply.locator('pre')).toContainText('Still here');
  // What had been on its way when the frame went would have come by now: another page is loaded whole.
  await page.reload();
  await expect(chat.replies.last()).toBeVisible();
  expect(listener.contacts).toEqual([]);
  // Those that were tried have all been stopped in the browser.
  watch.strays.length = 0;
  listener.close();
});

test(
  'a picture is shown without what it would load or run',
  { tag: '@firefox' },
  async ({ page, service, chat, watch }) => {
    const listener = await startListener();
    const address = `http://127.0.0.1:${listener.port}`;
    await chat.open(service.pageUrl);
    await chat.say(
      fenced(
        'svg',
        `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="120" onload="fetch('${address}/load')">
<style>@import "${address}/style.css";</style><script>fetch('${address}/script')</script>
<image href="${address}/image.png" width="10" height="10"/><rect width="300" height="120" fill="teal"/></svg>`,
      ),
    );
    const reply = chat.replies.last();
    await reply.getByRole('button', { name: 'Show', exact: true }).click();
    const picture = page.locator('iframe[title="Picture"]');
    await expect(picture).toHaveCSS('height', '120px');
    await page.setViewportSize({ width: 280, height: 800 });
    const shape = (): Promise<number> => picture.evaluate((frame) => frame.clientWidth / frame.clientHeight);
    await expect.poll(shape).toBeCloseTo(300 / 120, 1);
    expect(listener.contacts).toEqual([]);
    expect(watch.strays).toEqual([]);
    listener.close();
  },
);

test(
  'a diagram is drawn, one with a mistake says where, and its code stays',
  { tag: '@firefox' },
  async ({ page, service, chat }) => {
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
    await chat.open(service.pageUrl);
    await chat.say(fenced('mermaid', 'graph TD\n  A[Start] --> B{Is it?}\n  B -->|yes| C[End]'));
    const reply = chat.replies.last();
    const show = reply.getByRole('button', { name: 'Show', exact: true });
    await expect(show).toBeVisible();
    expect(scripts.filter((path) => path.startsWith('/sealed/'))).toEqual([]);
    await show.click();
    const drawing = page.frameLocator('iframe[title="Diagram"]');
    await expect(drawing.getByText('Is it?')).toBeVisible();
    await expect(reply.locator('pre')).toBeHidden();
    await expect(show).toHaveAttribute('aria-pressed', 'true');
    await show.click();
    await expect(reply.locator('pre')).toBeVisible();

    await chat.say(fenced('mermaid', 'graph TD\n  A[Start -->'));
    await expect(chat.replies).toHaveCount(2);
    await chat.replies.last().getByRole('button', { name: 'Show', exact: true }).click();
    await expect(chat.replies.last().getByRole('alert')).toContainText(
      'This can’t be shown. Parse error on line 3',
    );
    await expect(chat.replies.last().locator('pre')).toBeVisible();
    await expect(page.locator('iframe')).toHaveCount(0);
  },
);

test('a click on a node of a diagram that names an address connects to nobody', async ({
  page,
  service,
  chat,
  watch,
}) => {
  watch.expected.push(/Content Security Policy|sandbox|Failed to load resource/i);
  const listener = await startListener();
  const address = `http://127.0.0.1:${listener.port}`;
  await chat.open(service.pageUrl);
  const lines = [
    'graph TD',
    '  A[First] --> B[Second]',
    `  click A "${address}/a" "tip" _self`,
    `  click B href "${address}/b" _blank`,
  ];
  await chat.say(fenced('mermaid', lines.join('\n')));
  await chat.replies.last().getByRole('button', { name: 'Show', exact: true }).click();
  const drawing = page.frameLocator('iframe[title="Diagram"]');
  for (const name of ['First', 'Second']) {
    await drawing.getByText(name).click();
    await expect(drawing.getByText(name)).toBeVisible();
  }
  await page.reload();
  await expect(chat.replies.last()).toBeVisible();
  expect(listener.contacts).toEqual([]);
  watch.strays.length = 0;
  listener.close();
});

test(
  'what never ends is given up, and the window works on meanwhile',
  { tag: '@firefox' },
  async ({ page, service, chat }) => {
    await page.route('**/sealed/mermaid.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'while (true);' }),
    );
    // The ten seconds it has are over when the test says so: all that time a processor would be busy.
    await page.addInitScript(() => {
      const begin = window.setTimeout;
      const timeout = (run: () => void, ms?: number, ...rest: unknown[]): number => {
        if (ms === 10_000) addEventListener('over', run);
        return begin(run, ms, ...rest);
      };
      Object.assign(window, { setTimeout: timeout });
    });
    await chat.open(service.pageUrl);
    await chat.say(fenced('mermaid', 'graph TD\n  A --> B'));
    const reply = chat.replies.last();
    await reply.getByRole('button', { name: 'Show', exact: true }).click();
    await expect(reply.getByRole('status').filter({ hasText: 'Drawing…' })).toBeVisible();
    await chat.message.fill('Still here?');
    await expect(chat.message).toHaveValue('Still here?');
    await page.evaluate(() => dispatchEvent(new Event('over')));
    await expect(reply.getByRole('alert')).toHaveText('This can’t be shown. Drawing it takes too long.');
    await expect(reply.locator('pre')).toBeVisible();
  },
);
