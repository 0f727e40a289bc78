/**
 * Runs inside the sealed frame (`sealed/frame.html`), which has no origin, no network and no access to the page: the service's policy
 * for it (`server/routes/page.ts`) ensures that. Web pages are in one more frame, in which no script runs at all.
 */
import type { Mermaid, SealedOrder, SealedReport } from './sealed.ts';

addEventListener('message', (event: MessageEvent<SealedOrder>) => {
  const [port] = event.ports;
  if (event.source !== parent || port === undefined) return;
  const answer = (report: SealedReport): void => port.postMessage(report);
  show(event.data).then(
    (measure) => {
      const report = (): void => {
        // With a scrollbar it would be narrower, and so lower.
        document.documentElement.style.overflow = 'hidden';
        answer({ type: 'shown', height: measure?.() ?? null });
        document.documentElement.style.overflow = '';
      };
      report();
      // The height of a drawing depends on the width that it has.
      addEventListener('resize', report);
    },
    (problem: unknown) =>
      answer({ type: 'failed', reason: problem instanceof Error ? problem.message : String(problem) }),
  );
});

/** Resolves with a function that measures its height, or null if that can't be known. */
async function show({ kind, text, dark }: SealedOrder): Promise<(() => number) | null> {
  document.body.style.margin = '0';
  switch (kind) {
    case 'mermaid':
      return showDiagram(text, dark);
    case 'svg':
      return showPicture(text);
    case 'html':
      return showPage(text);
  }
}

async function showDiagram(text: string, dark: boolean): Promise<() => number> {
  document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
  const script = document.createElement('script');
  script.src = '/sealed/mermaid.js';
  document.head.append(script);
  await loaded(script);
  const { mermaid } = globalThis as unknown as { mermaid: Mermaid };
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    // Where drawing can't be stopped; see apart.ts.
    ...(navigator.vendor.startsWith('Apple') && { maxEdges: 100 }),
    suppressErrorRendering: true,
    theme: dark ? 'dark' : 'default',
    fontFamily: 'system-ui, sans-serif',
  });
  const { svg } = await mermaid.render('drawing', text);
  document.body.innerHTML = svg;
  unlink(document.body);
  document.body.style.display = 'grid';
  document.body.style.justifyItems = 'center';
  return () => document.body.scrollHeight;
}

/** As an image: nothing runs or loads in it. */
async function showPicture(text: string): Promise<() => number> {
  const picture = new Image();
  picture.style.cssText = 'display: block; max-width: 100%; margin: 0 auto';
  picture.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await loaded(picture);
  document.body.append(picture);
  return () => picture.getBoundingClientRect().height;
}

async function showPage(text: string): Promise<null> {
  const page = new DOMParser().parseFromString(text, 'text/html');
  // None of these can load anything here, but a browser may connect to their servers before it checks the policy.
  for (const element of page.querySelectorAll('link, base, meta, iframe, object, embed')) element.remove();
  unlink(page);
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', '');
  frame.style.cssText = 'display: block; width: 100%; height: 100vh; border: 0';
  frame.srcdoc = `<!doctype html>${page.documentElement.outerHTML}`;
  document.body.append(frame);
  await loaded(frame);
  return null;
}

/** Takes out addresses: they lead nowhere here, but a browser may connect to their servers, such as at a click. */
function unlink(shown: ParentNode): void {
  for (const element of shown.querySelectorAll('[*|href], [ping]'))
    for (const attribute of [...element.attributes]) {
      const isOwn = /^\s*#/.test(attribute.value);
      const isPicture = element.localName === 'image' && /^\s*data:image\//.test(attribute.value);
      const isAddress = attribute.localName === 'href' && !isOwn && !isPicture;
      if (isAddress || attribute.localName === 'ping') element.removeAttributeNode(attribute);
    }
  // Animations could put them back.
  for (const change of shown.querySelectorAll('animate, set')) change.remove();
}

const loaded = (element: HTMLElement): Promise<void> =>
  new Promise((resolve, reject) => {
    element.onload = () => resolve();
    element.onerror = () => reject(new Error(''));
  });
