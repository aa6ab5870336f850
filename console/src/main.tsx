import './styles.css';
import { createRoot } from 'react-dom/client';
import { setNonce } from 'get-nonce';
import { App } from './app.js';

/** The gateway gives each response a nonce; styles that are made at run time carry it. */
const nonce = document.querySelector('script')?.nonce ?? '';
setNonce(nonce);

const root = document.getElementById('root');
if (root !== null) createRoot(root, { onUncaughtError: showBreakdown }).render(<App nonce={nonce} />);

// The address of a one-time code, opened in a tab that shows the console already, loads nothing by itself.
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#code=')) location.reload();
});

/** A bug of the console. React has removed the page, so the person sees only this notice. */
function showBreakdown(): void {
  const notice = document.createElement('p');
  notice.className = 'hf-breakdown';
  notice.setAttribute('role', 'alert');
  notice.textContent = 'The console has stopped because of a bug. Reload the page to continue.';
  document.body.append(notice);
}
