/** What the tools of OpenWrt do beyond their manuals, and the agent has to live with. */
import { afterAll, describe, expect, it } from 'vitest'
import { missingTools, Router } from '#test/openwrt/router'

if (missingTools.length > 0)
  console.warn(`SKIPPED: the tools of a router, because ${missingTools.join(', ')} is not installed`)

describe.skipIf(missingTools.length > 0)('a router', () => {
  const router =
    missingTools.length > 0 ? null : new Router({ host: '127.0.0.1', port: '1', serial: 'OWRT-4' })
  afterAll(() => router?.close())
  const ask = (parts: readonly string[], lines: string) => router?.ask(parts, lines).trim()
  const wan = () => ask(['status', 'facts'], 'network_sections')

  it('whose jsonfilter reads only the last of several expressions reports the same facts', () => {
    const facts = wan()
    expect(facts).toContain('"ip":"192.0.2.17"')
    router?.program('bin/jsonfilter-of-all', router.read('bin/jsonfilter').replace(/^#!.*\n/, ''))
    router?.program(
      'bin/jsonfilter',
      'while [ $# -gt 0 ]; do case $1 in -i | -s) from="$1" what="$2" ;; *) how="$1" path="$2" ;; esac; shift 2; done\n' +
        'exec jsonfilter-of-all "$from" "$what" "$how" "$path"',
    )
    expect(wan()).toBe(facts)
  })

  it('that restores files checks the packages among them, and nothing that uci cannot load', () => {
    const folder = 'tmp/iotagent-image'
    const fault = () => ask(['restore'], `unreadable_package "${router?.root}/${folder}"`)
    router?.write(`${folder}/etc/config/network`, "config interface 'lan'\n")
    router?.write(`${folder}/etc/config/network.apk-new`, 'option of nothing\n')
    expect(fault()).toBe('')
    router?.write(`${folder}/etc/config/firewall`, "config zone 'lan\n")
    expect(fault()).toContain('etc/config/firewall: Parse error')
  })
})
