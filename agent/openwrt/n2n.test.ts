/** The init script of n2n edges under BusyBox's ash, with procd and the functions of OpenWrt recorded. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { facts } from '#schema/device/section'
import { busyboxProgram } from '#test/programs/unpacked'
import { root } from '#test/tracked-files'

const busybox = busyboxProgram ?? ''
const script = join(root, 'agent/openwrt/files/etc/init.d/iotagent-n2n')

/** Sections by name; the recorded calls of procd, line by line. */
function start(sections: Record<string, Record<string, string>>): string[] {
  const options = Object.entries(sections).flatMap(([section, values]) =>
    Object.entries(values).map(([name, value]) => `o_${section}_${name}='${value}'`),
  )
  const given = `
${options.join('\n')}
config_load() { :; }
config_foreach() { for section in ${Object.keys(sections).join(' ')}; do "$1" "$section"; done; }
config_get() { eval "$1=\\\${o_$2_$3:-\\$4}"; }
config_get_bool() { config_get "$@"; }
procd_open_instance() { echo "instance $1"; }
procd_set_param() { echo "$*"; }
procd_append_param() { echo "+ $*"; }
procd_close_instance() { :; }
edge() { :; }
nft() { if [ "$1" = -f ]; then tr -d '\\n\\t' | sed 's/^/nft /'; echo; else echo "nft $*"; fi; }
logger() { echo "log $3"; }
. ${script}
start_service`
  const { stdout, stderr } = spawnSync(busybox, ['sh', '-c', given], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.trim().split('\n')
}

describe.skipIf(busyboxProgram === null)('the init script of n2n edges', () => {
  it('starts an edge of a user; key and password are no arguments', () => {
    const said = start({
      remote: {
        enabled: '1',
        supernode: 'sn.example.net',
        community: 'acme-north',
        mode: 'supernode',
        user: 'acme-north',
        password: 'pass$word"1',
        key: 'k1',
        federation_key: 'aDF8it1ZAAQMVcCrH5FCCqYTm-xAp5WlZQ2uClbFFp0',
      },
    })
    expect(said).toEqual([
      'instance remote',
      'command edge -f -d n2n0 -c acme-north -l sn.example.net:9001 -M 1290',
      '+ command -I acme-north -A5',
      '+ command -P aDF8it1ZAAQMVcCrH5FCCqYTm-xAp5WlZQ2uClbFFp0',
      'env N2N_KEY=k1 N2N_PASSWORD=pass$word"1',
      'respawn 3600 10 0',
      'stderr 1',
      'nft delete table ip iotagent_n2n',
    ])
  })

  it('gives it a fixed address, or one by DHCP, a second supernode, and translates addresses', () => {
    const common = { enabled: '1', supernode: 'sn', community: 'acme' }
    const said = start({
      one: {
        ...common,
        mode: 'static',
        ipaddr: '10.64.8.17',
        prefix: '16',
        route: '1',
        second_supernode: 'sn2',
        second_port: '9002',
        masquerade: '1',
      },
      two: { ...common, mode: 'dhcp', tunname: 'n2n1', masquerade: '1' },
      off: { supernode: 'sn', community: 'acme' },
      bare: { enabled: '1', supernode: 'sn' },
    })
    expect(said.filter((line) => !/^(respawn|stderr|env)/.test(line))).toEqual([
      'instance one',
      'command edge -f -d n2n0 -c acme -l sn:9001 -M 1290',
      '+ command -l sn2:9002',
      '+ command -a static:10.64.8.17/16',
      '+ command -r',
      'instance two',
      'command edge -f -d n2n1 -c acme -l sn:9001 -M 1290',
      '+ command -a dhcp:0.0.0.0',
      '+ command -r',
      'log bare: no supernode, or no community',
      'nft delete table ip iotagent_n2n',
      'nft table ip iotagent_n2n {chain postrouting {type nat hook postrouting priority srcnat;oifname { "n2n0", "n2n1" } masquerade}}',
    ])
  })

  it('does nothing where n2n is not installed', () => {
    expect(spawnSync(busybox, ['sh', '-c', `PATH=/nonexistent; . ${script}; start_service`]).status).toBe(0)
  })

  it('is reported with its address: connected once the supernode has given one, unknown where the address is fixed', () => {
    const library = join(root, 'agent/openwrt/files/usr/lib/iotagent')
    const told = (options: Record<string, string> | null, address = '') => {
      const gets = Object.entries(options ?? {}).map(
        ([name, value]) => `'n2n.@edge[0].${name}') echo '${value}' ;;`,
      )
      const given = `. ${library}/base.sh; . ${library}/facts.sh; ROOT=/nonexistent
uci() { case $3 in ${options ? "'n2n.@edge[0]') echo edge ;;" : ''} ${gets.join(' ')} *) return 1 ;; esac; }
ip() { [ "$6" = n2n0 ] && [ -n '${address}' ] && echo "7: n2n0    inet ${address}/24 brd 10.64.8.255 scope global n2n0"; }
remote`
      const { stdout } = spawnSync(busybox, ['sh', '-c', given], { encoding: 'utf8' })
      return facts.payload.parse({ at: Date.now(), ...JSON.parse(`{${stdout.slice(1)}}`) }).remote?.slice(1)
    }
    const on = { enabled: '1', tunname: 'n2n0', mode: 'supernode' }
    expect(told(null)).toEqual([])
    expect(told(on, '10.64.8.17')).toEqual([
      { name: 'n2n', enabled: true, connected: true, address: '10.64.8.17' },
    ])
    expect(told(on)).toEqual([{ name: 'n2n', enabled: true, connected: false }])
    expect(told({ ...on, mode: 'static' }, '10.64.8.17')).toEqual([
      { name: 'n2n', enabled: true, address: '10.64.8.17' },
    ])
    expect(told({ ...on, enabled: '0' }, '10.64.8.17')).toEqual([{ name: 'n2n', enabled: false }])
    expect(told({ ...on, tunname: '$(reboot)' })).toEqual([])
  })
})
