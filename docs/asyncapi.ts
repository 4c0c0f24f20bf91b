/**
 * The AsyncAPI 3 document of the device protocol from the platform's view: it receives uplinks and sends downlinks.
 */
import type { Downlink, Uplink } from '#schema/kit/message'
import { PROTOCOL_VERSION } from '#schema/kit/message'
import { jsonSchema } from './fields.ts'

const sn = {
  description: 'Serial number of the device, which is also its user name: `[A-Za-z0-9_-]{1,64}`.',
}

const server = (host: string, protocol: string, description: string, pathname?: string) => ({
  host,
  protocol,
  protocolVersion: '3.1.1',
  description,
  ...(pathname && { pathname }),
  security: [{ $ref: '#/components/securitySchemes/device' }],
})

export function asyncapiDocument(messages: readonly (Uplink | Downlink)[]) {
  const entries = <T>(make: (message: Uplink | Downlink) => T) =>
    Object.fromEntries(messages.map((message) => [message.name, make(message)]))
  const ref = (path: string) => ({ $ref: `#/${path}` })
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Device protocol of the IoT cloud platform',
      version: `${PROTOCOL_VERSION}.0.0`,
      description: 'Generated from the declarations in `schema/`; the narrative is docs/protocol.md.',
    },
    defaultContentType: 'application/json',
    servers: {
      tcp: server('cloud.example:1883', 'mqtt', 'MQTT over TCP'),
      tls: server('cloud.example:8883', 'mqtts', 'MQTT over TLS'),
      websocket: server('cloud.example:8080', 'ws', 'MQTT over WebSocket, subprotocol `mqtt`', '/mqtt'),
    },
    channels: entries((message) => ({
      address: `v${PROTOCOL_VERSION}/{sn}/${message.kind === 'uplink' ? 'up' : 'down'}/${message.name}`,
      parameters: { sn },
      messages: { [message.name]: ref(`components/messages/${message.name}`) },
    })),
    operations: entries((message) => ({
      action: message.kind === 'uplink' ? 'receive' : 'send',
      channel: ref(`channels/${message.name}`),
      summary: message.summary,
      messages: [ref(`channels/${message.name}/messages/${message.name}`)],
      bindings: { mqtt: { qos: 1, retain: false, bindingVersion: '0.2.0' } },
    })),
    components: {
      messages: entries((message) => ({
        name: message.name,
        title: message.name,
        summary: message.summary,
        contentType: 'application/json',
        payload: jsonSchema(message.payload),
        examples: [{ name: message.name, payload: message.example }],
      })),
      securitySchemes: {
        device: {
          type: 'userPassword',
          description: 'User name: the serial number. Password: the device secret, or an enrolment key.',
        },
      },
    },
  }
}
