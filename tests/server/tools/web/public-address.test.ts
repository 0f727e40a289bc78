import { describe, expect, it } from 'vitest';
import { findAddresses, isPublic } from '../../../../server/tools/web/public-address.ts';
import { socketHostOf, readAddress } from '../../../../server/tools/web/web-address.ts';

it.each([
  '8.8.8.8',
  '1.1.1.1',
  '172.15.0.1',
  '172.32.0.1',
  '192.169.0.1',
  '2606:4700::1111',
  '2a00:1450:4001::1',
])('%s is public', (address) => {
  expect(isPublic(address)).toBe(true);
});

it.each(
  `127.0.0.1 127.255.255.254 0.0.0.0 0.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1
  168.63.129.16 ::ffff:168.63.129.16 192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.7 203.0.113.1 192.88.99.1 224.0.0.1 240.0.0.1 255.255.255.255
  ::1 :: ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:7f00:1 64:ff9b::7f00:1 64:ff9b:1::1 2002:7f00:1:: 2001::1
  2001:db8::1 3fff::1 fc00::1 fd12::1 fe80::1 fe80::1%eth0 2606:4700::1%eth0 fec0::1 ff02::1 100::1 5f00::1 4000::1 nonsense`.split(
    /\s+/,
  ),
)('%s is not public', (address) => {
  expect(isPublic(address)).toBe(false);
});

describe('a host', () => {
  const find = (host: string, ...addresses: string[]) =>
    findAddresses(host, {
      resolve: () =>
        Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))),
    });

  it('leads to all of its addresses when all are public', async () => {
    expect(await find('site.test', '8.8.8.8', '2606:4700::1')).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ]);
  });

  it.each([
    [['8.8.8.8', '10.0.0.1']],
    [['2606:4700::1', '::1']],
    [['8.8.8.8', '::ffff:192.168.0.1']],
    [['127.0.0.1']],
    [['fd00::1']],
  ])('is refused when any of %j is not public', async (addresses) => {
    await expect(find('site.test', ...addresses)).rejects.toThrow('in a private network');
  });

  it('that leads nowhere is said to', async () => {
    await expect(find('site.test')).rejects.toThrow('There is no “site.test”');
    const failing = { resolve: () => Promise.reject(new Error('ENOTFOUND')) };
    await expect(findAddresses('site.test', failing)).rejects.toThrow('There is no “site.test”');
  });

  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://１２７.0.0.1/',
  ])('written as %s is this computer, and refused', async (url) => {
    await expect(findAddresses(socketHostOf(readAddress(url)), {})).rejects.toThrow(
      /in a private network|There is no/,
    );
  });
});

describe('an address', () => {
  it.each([
    ['ftp://example.com/', 'Only pages'],
    ['file:///etc/passwd', 'no address of a page'],
    ['javascript:alert(1)', 'no address of a page'],
    ['data:text/html,hi', 'no address of a page'],
    ['example.com', 'no address of a page'],
    ['https://', 'no address of a page'],
    ['https://ana:secret@example.com/', 'a name or a password'],
    ['https://ana@example.com/', 'a name or a password'],
    [`https://example.com/${'x'.repeat(3_000)}`, 'no address of a page'],
  ])('%s is refused', (text, words) => {
    expect(() => readAddress(text)).toThrow(words);
  });

  it('is shown as it is sent: its host in plain letters, without what stands after the sign', () => {
    expect(readAddress(' https://bücher.example/a b#part ').href).toBe('https://xn--bcher-kva.example/a%20b');
  });
});
