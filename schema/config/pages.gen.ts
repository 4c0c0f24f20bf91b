// Generated from the files in schema/config/pages/ by `npm run generate`; do not edit.
import { firewall } from './pages/firewall.ts'
import { lan } from './pages/lan.ts'
import { n2n } from './pages/n2n.ts'
import { openvpn } from './pages/openvpn.ts'
import { redirect } from './pages/redirect.ts'
import { sim } from './pages/sim.ts'
import { wan } from './pages/wan.ts'
import { wireless } from './pages/wireless.ts'

export const configPages = { wan, lan, sim, wireless, firewall, redirect, openvpn, n2n }
