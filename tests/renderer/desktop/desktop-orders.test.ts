import { expect, test } from 'vitest';
import { DesktopOrders, type PageOrder } from '../../../renderer/desktop/desktop-orders.ts';

const run = (commandId: string): PageOrder => ({ type: 'run', commandId });
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test('orders wait for a page, and are done one after the other', async () => {
  const orders = new DesktopOrders();
  orders.add(run('a'));
  orders.add(run('b'));
  const done: string[] = [];
  orders.serve(async (order) => {
    if (order.type !== 'run') return true;
    done.push(`begins ${order.commandId}`);
    await settled();
    done.push(`ends ${order.commandId}`);
    return true;
  });
  orders.add(run('c'));
  await expect.poll(() => done.length).toBe(6);
  expect(done).toEqual(['begins a', 'ends a', 'begins b', 'ends b', 'begins c', 'ends c']);
});

test('an order that a page can’t do is the first that the next page does', async () => {
  const orders = new DesktopOrders();
  const first: PageOrder[] = [];
  const next: PageOrder[] = [];
  orders.serve((order) => {
    first.push(order);
    return Promise.resolve(false);
  });
  orders.add(run('a'));
  orders.add(run('b'));
  await settled();
  orders.serve((order) => {
    next.push(order);
    return Promise.resolve(true);
  });
  await settled();
  expect(first).toEqual([run('a')]);
  expect(next).toEqual([run('a'), run('b')]);
});

test('a page that went away while it waited knows, and does nothing any more', async () => {
  const orders = new DesktopOrders();
  const reported: boolean[] = [];
  const dismiss = orders.serve(async (_order, isCurrent) => {
    await settled();
    reported.push(isCurrent());
    return isCurrent();
  });
  orders.add(run('a'));
  dismiss();
  await settled();
  await settled();
  expect(reported).toEqual([false]);
  const next: PageOrder[] = [];
  orders.serve((order) => {
    next.push(order);
    return Promise.resolve(true);
  });
  await settled();
  expect(next).toEqual([run('a')]);
});

test('an order that fails does not stand in the way of the next', async () => {
  const orders = new DesktopOrders();
  const done: PageOrder[] = [];
  orders.serve((order) => {
    if (done.push(order) === 1) return Promise.reject(new Error('no'));
    return Promise.resolve(true);
  });
  orders.add(run('a'));
  orders.add(run('b'));
  await settled();
  expect(done).toEqual([run('a'), run('b')]);
});
