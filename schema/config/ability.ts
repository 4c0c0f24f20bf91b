/** The abilities that a device reports in `hello.config.abilities`; they decide which pages and which UCI it gets. */

export const abilities = [
  'dsa',
  'swconfig',
  'wifi',
  'mobile',
  'dualSim',
  'qmi',
  'modemmanager',
  'fw4',
  'mwan3',
  'openvpn',
  'openvpnNetifd',
  'n2n',
  'serial',
  'ser2net',
  'mbusd',
  'serialAgent',
  'gpio',
  'relayd',
  'watchcat',
  'sms',
  'sensors',
  'simSwitch',
  'telnet',
  'sshKeys',
] as const
export type Ability = (typeof abilities)[number]
