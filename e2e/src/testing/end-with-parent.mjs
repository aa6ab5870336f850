// Loaded before a program under test: a kill of the test that started it is meant for the program as well.
const parentPollMs = 250;
const parent = process.ppid;

const poll = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(poll); // a second signal would end the program at once
  process.kill(process.pid, 'SIGTERM');
}, parentPollMs).unref();
