import './ui/fonts.css';
import './ui/tokens.css';
import './ui/base.css';
import './ui/controls.css';
import './ui/common.css';
import './ui/print.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { tokenIn } from './api/session.ts';
import { desktop as bridge } from './lib/desktop.ts';
import { fragmentOf } from './lib/address.ts';
import { Desktop } from './desktop/desktop.svelte.ts';
import { Session } from './session/session.svelte.ts';

// First of all, the token is removed from the address, and so from the history.
const fragment = location.hash;
if (tokenIn(fragment) !== null) history.replaceState(null, '', fragmentOf(null));

const desktop = bridge === null ? null : new Desktop(bridge);
const session = new Session(bridge);
void session.start(fragment);

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no #app');
mount(App, { target, props: { session, desktop } });
