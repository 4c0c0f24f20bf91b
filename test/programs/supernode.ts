/** A fake supernode with only its management port: n2n's JSON protocol over real UDP (n2n doc/ManagementAPI.md). */
import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'

export type Supernode = {
  port: number
  /** Received requests, e.g. `r 7 edges`. */
  heard: string[]
  /** Edges by community; `-/-` are the federated supernodes. */
  edges: { community: string; macaddr: string; desc: string }[]
  /** Simulates packet loss: this many requests get no response. */
  deaf: number
  close(): Promise<void>
}

/** Responds to `timestamps` and `edges` as sn_management.c does, and to unknown methods with an error. */
export async function startSupernode(startTime = 1_700_000_000, port = 0): Promise<Supernode> {
  const socket = createSocket('udp4')
  const node: Supernode = {
    port: 0,
    heard: [],
    edges: [],
    deaf: 0,
    close: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
  const answer = (to: RemoteInfo, packet: object) =>
    socket.send(`${JSON.stringify(packet)}\n`, to.port, to.address)
  socket.on('message', (bytes, from) => {
    const line = bytes.toString('utf8').trim()
    node.heard.push(line)
    if (node.deaf > 0) {
      node.deaf -= 1
      return
    }
    const [type, options = '', method = ''] = line.split(' ')
    const tag = options.split(':')[0]
    const rows: Record<string, object[]> = {
      timestamps: [{ start_time: startTime, last_fwd: 0, last_reg_super: 0 }],
      edges: node.edges.map((edge) => ({
        ip4addr: '10.128.0.2/24',
        purgeable: 0,
        sockaddr: '192.0.2.7:41701',
        proto: 'UDP',
        last_seen: startTime,
        ...edge,
      })),
    }
    if (type !== 'r' || !rows[method]) return answer(from, { _tag: tag, _type: 'error', error: 'unknowncmd' })
    answer(from, { _tag: tag, _type: 'begin', cmd: method })
    for (const row of rows[method]) answer(from, { _tag: tag, _type: 'row', ...row })
    answer(from, { _tag: tag, _type: 'end', cmd: method })
  })
  socket.bind(port, '127.0.0.1')
  await once(socket, 'listening')
  node.port = socket.address().port
  return node
}
