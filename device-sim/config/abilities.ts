/** What each model is able to do with its configuration: docs/protocol.md, Abilities. */
import type { Ability } from '#schema/config/ability'
import type { Model } from '../models.ts'

/** Which configuration pages its software carries out. */
export const CONFIG_LEVEL = 1

const mobile: readonly Ability[] = ['mobile', 'fw4', 'openvpn', 'n2n', 'watchcat', 'sms', 'simSwitch']
const routing: readonly Ability[] = ['dsa', 'wifi', 'dualSim', 'mwan3', 'relayd']

/** Models of one hardware type differ in the modem only. */
export function abilitiesOf({
  hardwareType,
  radio,
}: Pick<Model, 'hardwareType' | 'radio'>): readonly Ability[] {
  if (hardwareType === 'router')
    return [...routing, 'sshKeys', ...mobile, radio === 'NR' ? ('modemmanager' as const) : ('qmi' as const)]
  if (hardwareType === 'gateway')
    return ['swconfig', 'sshKeys', ...mobile, 'qmi', 'serial', 'serialAgent', 'mbusd', 'gpio', 'sensors']
  // Kernel 4.14: OpenWrt 19.07, with the older firewall.
  return hardwareType === 'serialServer' ? ['swconfig', 'serial', 'ser2net'] : ['swconfig', 'watchcat']
}
