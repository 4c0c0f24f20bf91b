import { n2nUserName } from './group-remote.ts'
import { N2N_USERS_SINCE } from './n2n-server.ts'

/** Edges of older versions cannot get their address by DHCP. */
const DHCP_SINCE = 2

type Community = {
  account: string
  password: string
  bridged: boolean
  /** Null: the group has no supernode. */
  supernode: string | null
  version: number | null
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/**
 * The command by which an edge joins the community of a group. Supernodes before version 3 have no users and do not
 * assign addresses: the command then has a placeholder for one. n2n truncates user names, so they are truncated here.
 */
export function edgeCommand({ account, password, bridged, supernode, version }: Community): string {
  const knowsUsers = version === null || version >= N2N_USERS_SINCE
  const user = knowsUsers ? ` -I ${n2nUserName(account)} -J ${quoted(password)} -A5` : ''
  // In a bridged group the LAN behind the gateway assigns the address, otherwise the supernode does.
  const address =
    bridged && (version === null || version >= DHCP_SINCE)
      ? '-a dhcp:0.0.0.0 '
      : knowsUsers
        ? ''
        : '-a ADDRESS '
  return [
    `edge -c ${account}${user} -k ${quoted(password)}`,
    `  ${bridged ? '-r ' : ''}${address}-l ${supernode ?? 'SUPERNODE:PORT'}`,
  ].join(' \\\n')
}
