import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { exportUci, parseUci } from '#schema/config/uci'
import { configHash, packageHash } from './config-hash.ts'

it('hashes what a shell on a router hashes, whatever the order of the packages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'iot-config-'))
  const packages = ['network', 'network2', 'dhcp', 'n2n-x'].map((name) =>
    parseUci(name, `config t '${name.replace('-', '')}'\n`),
  )
  try {
    for (const pkg of packages) writeFileSync(join(folder, pkg.name), exportUci(pkg))
    const shell = `cd ${folder}; for p in network network2 dhcp n2n-x; do
      printf '%s %s\\n' $p $(sha256sum < $p | cut -c1-64); done | LC_ALL=C sort | sha256sum | cut -c1-64`
    const hashes = packages.map((pkg) => [pkg.name, packageHash(exportUci(pkg))])
    expect(configHash(Object.fromEntries(hashes))).toBe(execFileSync('sh', ['-c', shell]).toString().trim())
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('takes a refused package for the empty text', () => {
  expect(packageHash('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
})
