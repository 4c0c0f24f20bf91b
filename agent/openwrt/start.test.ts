/** What procd is told to run, with procd and the functions of OpenWrt recorded. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '#test/tracked-files'

/** The instances that the init script starts. */
function started(options: Readonly<Record<string, string>>): string[] {
  const lines = `
${Object.entries(options)
  .map(([name, value]) => `o_main_${name}='${value}'`)
  .join('\n')}
config_load() { :; }
config_get() { eval "$1=\\\${o_$2_$3:-\\$4}"; }
procd_open_instance() { echo "$1"; }
procd_set_param() { :; }
procd_close_instance() { :; }
. ${join(root, 'agent/openwrt/files/etc/init.d/iotagent')}
start_service`
  return execFileSync('sh', ['-c', lines], { encoding: 'utf8' }).trim().split('\n')
}

it('an agent that is not set up is not started, which would be again and again; the guard always is', () => {
  expect(started({ host: 'cloud.example' })).toEqual(['guard', 'agent'])
  expect(started({ host: 'cloud.example', enabled: '1' })).toEqual(['guard', 'agent'])
  expect(started({ host: '' })).toEqual(['guard'])
  expect(started({ host: 'cloud.example', enabled: '0' })).toEqual(['guard'])
})

it('an agent that is stopped ends in time, and what it has begun with it, also over a connection that is dead', () => {
  const agent = readFileSync(join(root, 'agent/openwrt/files/usr/sbin/iotagent'), 'utf8')
  const lines = `
RUN=/nowhere
leave() { sleep 20 >/dev/null 2>&1; }
end_follower() { :; }
rm() { :; }
sleep 60 >/dev/null 2>&1 & REPORTER=$! WATCHER=
(sleep 60) >/dev/null 2>&1 & SUB=$!
${agent.slice(agent.indexOf('FAREWELL_S='), agent.indexOf('trap stop'))}
stop`
  const before = performance.now()
  // Without a pipe to it, whose end would be awaited.
  execFileSync('sh', ['-c', lines], { stdio: 'ignore' })
  // What it waits for here lasts 20 s and longer.
  expect(performance.now() - before).toBeLessThan(15_000)
})
