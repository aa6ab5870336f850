import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as apps from 'kubernetes-models/apps/v1';
import * as autoscaling from 'kubernetes-models/autoscaling/v2';
import * as batch from 'kubernetes-models/batch/v1';
import * as networking from 'kubernetes-models/networking.k8s.io/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';
import * as monitoring from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import * as postgresql from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1';

/**
 * Reads manifests as JSON from stdin and writes the faults of each. A separate program, because the packages with the schemas
 * are modules that Jest does not load.
 */
const models = {
  v1: core,
  'apps/v1': apps,
  'autoscaling/v2': autoscaling,
  'batch/v1': batch,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
  'monitoring.coreos.com/v1': monitoring,
  'postgresql.cnpg.io/v1': postgresql,
};

const ajv = new Ajv2020({ allErrors: true, strict: false });
const handWritten = {
  RabbitmqCluster: ajv.compile(readJson('rabbitmq-cluster.json')),
  ObjectStore: ajv.compile(readJson('object-store.json')),
};

/** Fields that the operator has and its package does not: later versions of the package need a Node newer than the oldest we support. */
const newerFields = {
  Cluster: [
    '/spec/plugins/0/isWALArchiver',
    ...['', '/name', '/parameters', '/parameters/barmanObjectName', '/parameters/serverName'].map(
      (field) => `/spec/externalClusters/0/plugin${field}`,
    ),
  ],
};

const manifests = JSON.parse(await text(process.stdin));
process.stdout.write(JSON.stringify(manifests.map(faultsOf)));

function readJson(name) {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
}

function faultsOf(manifest) {
  const { apiVersion, kind, metadata } = manifest;
  return faultsBySchema(manifest).map((fault) => `${kind} ${metadata.name}: ${fault}`);

  function faultsBySchema() {
    const validate = handWritten[kind];
    if (validate !== undefined) return validate(manifest) ? [] : validate.errors.map((error) => ajv.errorsText([error]));
    const Model = models[apiVersion]?.[kind];
    return Model === undefined ? [`there is no schema of ${apiVersion}`] : faultsByModel(Model, manifest);
  }
}

/** The schemas allow unknown fields, as the API server did once. The validator reads every field that it knows, so the others are unknown. */
function faultsByModel(Model, manifest) {
  const read = new Set(newerFields[manifest.kind]);
  const faults = [];
  try {
    new Model(manifest).validate.call(recorded(manifest, '', read));
  } catch (error) {
    faults.push(error.message);
  }
  return [...faults, ...pathsOf(manifest, '').flatMap((path) => (read.has(path) ? [] : [`${path} is not a field`]))];
}

function recorded(value, path, read) {
  if (typeof value !== 'object' || value === null) return value;
  return new Proxy(value, {
    get(target, key) {
      if (typeof key !== 'string' || !Object.hasOwn(target, key)) return Reflect.get(target, key);
      read.add(`${path}/${key}`);
      return recorded(target[key], `${path}/${key}`, read);
    },
  });
}

function pathsOf(value, path) {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [`${path}/${key}`, ...pathsOf(inner, `${path}/${key}`)]);
}
