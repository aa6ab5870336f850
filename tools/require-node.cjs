'use strict';

// Loaded before anything else by the commands of package.json. It also runs on versions of Node that cannot load the rest of the code,
// and says so instead of the SyntaxError that would follow.
const { engines } = require('../package.json');

const [major, minor] = engines.node.match(/\d+/g).map(Number);
const [ownMajor, ownMinor] = process.version.match(/\d+/g).map(Number);

if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  console.error(
    `Holdfast needs Node ${major}.${minor} or newer, and this is Node ${process.version.slice(1)}: ` +
      'install a newer one from https://nodejs.org, or with "nvm install" in this folder.',
  );
  process.exit(1);
}
