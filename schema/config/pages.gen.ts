// Generated from the files in schema/config/pages/ by `npm run generate`; do not edit.
import { firewall } from './pages/firewall.ts'
import { lan } from './pages/lan.ts'
import { n2nEdge } from './pages/n2n-edge.ts'
import { openvpn } from './pages/openvpn.ts'
import { portForward } from './pages/port-forward.ts'
import { sim } from './pages/sim.ts'
import { wan } from './pages/wan.ts'
import { wireless } from './pages/wireless.ts'

export const configPages = { wan, lan, sim, wireless, firewall, portForward, openvpn, n2nEdge }
