import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HELM_TOOLS } from './tools.mjs';

/** Modules of the Go proxy. The libraries of Kubernetes have its version with a major version of 0. */
const KUBERNETES = '1.34.3';
const ETCD = 'v3.6.5';
const KEDA = 'github.com/kedacore/keda/v2@v2.18.1';
const PROMETHEUS_OPERATOR = 'github.com/prometheus-operator/prometheus-operator@v0.85.0';

/** The resources of other operators that the chart creates. */
const DEFINITIONS = [
  [KEDA, 'config/crd/bases/keda.sh_scaledobjects.yaml'],
  [
    PROMETHEUS_OPERATOR,
    'example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml',
    'example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml',
  ],
];

/** The programs. `go install` cannot install their modules, because these have `replace` lines or no main package. */
const API_SERVER = `package main

import (
	"os"

	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() { os.Exit(cli.Run(app.NewAPIServerCommand())) }
`;
const ETCD_SERVER = `package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() { etcdmain.Main(os.Args) }
`;

/**
 * Builds kube-apiserver and etcd with Go, and downloads the definitions of other operators' resources. Takes a quarter
 * of an hour on two cores, and two gigabytes of Go's cache.
 * @param {(program: string, args: string[], options?: { cwd?: string }) => void} run
 * @param {(module: string) => { Dir: string, GoMod: string }} download
 */
export function installApiServer(run, download) {
  const major = `-X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=${KUBERNETES.split('.')[1]}`;
  build(run, {
    main: API_SERVER,
    requires: `k8s.io/kubernetes v${KUBERNETES}`,
    replaces: librariesOf(download(`k8s.io/kubernetes@v${KUBERNETES}`)),
    // Clients reject a server without a version.
    flags: `-s -w ${major} -X k8s.io/component-base/version.gitVersion=v${KUBERNETES}`,
    target: HELM_TOOLS.apiServer,
  });
  build(run, {
    main: ETCD_SERVER,
    requires: `go.etcd.io/etcd/server/v3 ${ETCD}`,
    replaces: [],
    flags: '-s -w',
    target: HELM_TOOLS.etcd,
  });
  mkdirSync(HELM_TOOLS.definitions, { recursive: true });
  for (const [module, ...files] of DEFINITIONS) {
    const { Dir } = download(module);
    for (const file of files)
      copyFileSync(join(Dir, file), join(HELM_TOOLS.definitions, file.split('/').at(-1)));
  }
}

/** The libraries in the Kubernetes repository. Its module replaces them with folders that are missing in a download. */
function librariesOf({ GoMod }) {
  const libraries = [
    ...readFileSync(GoMod, 'utf8').matchAll(/^\s*(k8s\.io\/\S+)(?: v0\.0\.0)? => \.\/staging/gm),
  ];
  const version = `v0.${KUBERNETES.split('.').slice(1).join('.')}`;
  return libraries.map(([, name]) => `replace ${name} => ${name} ${version}`);
}

function build(run, { main, requires, replaces, flags, target }) {
  const cwd = mkdtempSync(join(tmpdir(), 'ies-go-'));
  try {
    writeFileSync(join(cwd, 'main.go'), main);
    writeFileSync(
      join(cwd, 'go.mod'),
      ['module build', 'go 1.24.0', `require ${requires}`, ...replaces, ''].join('\n'),
    );
    run('go', ['mod', 'tidy'], { cwd });
    run('go', ['build', '-ldflags', flags, '-o', target, '.'], { cwd });
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
