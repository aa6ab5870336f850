// Finds functions in exported types (ports, stores, package interfaces) that no product file reads; tests do not count. An object is
// exported as a whole, so knip cannot see a function in it that nothing calls.
import './require-node.cjs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = path.resolve(process.argv[2] ?? path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const productFile =
  /^(shared\/(?!testing\/)[^/]+|services\/[^/]+|gateway|sandbox|all-in-one|dev-servers|clients\/[^/]+|tools)\/src\//;
const testFile = /\.test\.ts$|\/testing\//;

/** Members that stay although nothing in the product reads them, with the reason. */
const allowed = new Map([
  ['Supervised.pid', 'the test of a killed supervisor looks for the process that it leaves'],
  ['List.page', 'the console, which is not part of this program, reads lists page by page'],
]);

const program = createProgram();
const checker = program.getTypeChecker();
const files = program.getSourceFiles().filter(({ fileName }) => isProduct(fileName));
const members = groupByName(files.flatMap(membersOf));
const reads = readsOf(files, members);
const unused = [...members].flatMap(([name, ofName]) => unreadOf(ofName, reads.get(name) ?? []));
const faults = unused.filter(({ name }) => !allowed.has(name)).map(({ name, node }) => `${placeOf(node)} ${name}`);
if (faults.length > 0) console.log(`No product code uses these members:\n${faults.toSorted().join('\n')}`);
else console.log(`every function of ${[...members.values()].flat().length} is used`);
process.exitCode = faults.length > 0 ? 1 : 0;

function createProgram() {
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  return ts.createProgram(fileNames.filter(isProduct), { ...options, incremental: false, tsBuildInfoFile: undefined });
}

function isProduct(file) {
  const name = path.relative(root, file).replaceAll(path.sep, '/');
  return productFile.test(name) && !testFile.test(name);
}

function placeOf(node) {
  const file = node.getSourceFile();
  return `${path.relative(root, file.fileName)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

/** The functions in the exported types of a file, also in nested types. */
function membersOf(file) {
  return file.statements
    .filter((one) => ts.isTypeAliasDeclaration(one) && one.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
    .flatMap(({ name, type }) => functionsIn(type, name.text));
}

function functionsIn(type, owner) {
  if (type === undefined) return [];
  if (ts.isParenthesizedTypeNode(type)) return functionsIn(type.type, owner);
  if (ts.isIntersectionTypeNode(type)) return type.types.flatMap((one) => functionsIn(one, owner));
  if (!ts.isTypeLiteralNode(type)) return [];
  const named = type.members.filter(({ name }) => name !== undefined && ts.isIdentifier(name));
  return named.flatMap((node) => {
    const name = `${owner}.${node.name.text}`;
    const isFunction = ts.isMethodSignature(node) || (node.type !== undefined && ts.isFunctionTypeNode(node.type));
    return isFunction ? [{ node, name }] : functionsIn(node.type, name);
  });
}

function groupByName(found) {
  const groups = new Map(found.map(({ node }) => [node.name.text, []]));
  for (const member of found) groups.get(member.node.name.text).push(member);
  return groups;
}

/** Where members of these names are read: `x.name`, `x['name']`, `const { name } = x`. */
function readsOf(sources, names) {
  const found = new Map([...names.keys()].map((name) => [name, []]));
  const visit = (node) => {
    const name = readName(node);
    if (name !== undefined) found.get(name.text)?.push(name);
    ts.forEachChild(node, visit);
  };
  for (const source of sources) visit(source);
  return found;
}

function readName(node) {
  if (ts.isPropertyAccessExpression(node)) return node.name;
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) return node.argumentExpression;
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return undefined;
  const name = node.propertyName ?? node.name;
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name : undefined;
}

/** The members of one name that none of the reads is about. Types are only computed until every member is found. */
function unreadOf(ofName, readsOfName) {
  const left = new Set(ofName);
  const seen = new Set();
  for (const read of nearFirst(readsOfName, ofName)) {
    if (left.size === 0) return [];
    const symbol = symbolOf(read);
    if (symbol === undefined) continue;
    for (const member of left) if (symbol.declarations?.includes(member.node)) left.delete(member);
    seen.add(symbol);
  }
  return [...left].filter(({ node }) => ![...seen].some((symbol) => mayServeAs(node, symbol)));
}

/** Most members are read in their own package. */
function nearFirst(readsOfName, ofName) {
  const packages = new Set(ofName.map(({ node }) => packageOf(node)));
  const isNear = (node) => Number(packages.has(packageOf(node)));
  return readsOfName.toSorted((one, other) => isNear(other) - isNear(one));
}

function packageOf(node) {
  return node.getSourceFile().fileName.split('/src/')[0];
}

function symbolOf(name) {
  const { parent } = name;
  if (ts.isPropertyAccessExpression(parent)) return checker.getSymbolAtLocation(name);
  const holder = ts.isElementAccessExpression(parent) ? parent.expression : parent.parent;
  return checker.getPropertyOfType(checker.getTypeAtLocation(holder), name.text);
}

/**
 * An object may be passed on as another one of our types, such as a port, and be read there. Then the member fits what is read, and takes
 * as many arguments.
 */
function mayServeAs(node, symbol) {
  if (symbol.declarations?.some((one) => isProduct(one.getSourceFile().fileName)) !== true) return false;
  const types = [checker.getTypeAtLocation(node), checker.getTypeOfSymbol(symbol)];
  const [own, read] = types.map((type) => checker.getNonNullableType(type));
  const [ownCount, readCount] = [own, read].map((type) => type.getCallSignatures()[0]?.parameters.length);
  return ownCount === readCount && checker.isTypeAssignableTo(own, read);
}
