/** Settings of an external broker that carries the devices [decisions/138]. */
import { z } from 'zod'
import { AUXILIARY_CONNECTIONS } from '#schema/device/auxiliary'
import { urlLike } from './url-like.ts'

const optional = z.string().min(1).optional()

export const externalBrokerSettings = {
  BROKER: z
    .enum(['builtin', 'external'])
    .default('builtin')
    .describe(
      'external: devices connect to a Mosquitto or EMQX; the broker room only takes in what they send',
    ),
  EXTERNAL_MQTT_KIND: z
    .enum(['mosquitto', 'emqx'])
    .default('mosquitto')
    .describe(
      'how accounts and permissions reach the external broker: `mosquitto` by its dynamic security plugin, `emqx` by HTTP calls to the api',
    ),
  EXTERNAL_MQTT_URL: urlLike(/^mqtts?:\/\/[^/\s]+$/, 'mqtt://host:1883 or mqtts://host:8883').describe(
    'where all rooms reach the external broker',
  ),
  EXTERNAL_MQTT_USERNAME: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, _ and -')
    .default('iot-platform')
    .describe('the account of the platform at the external broker; no device may have this serial number'),
  EXTERNAL_MQTT_PASSWORD: optional.describe('its password'),
  EMQX_URL: urlLike(/^https?:\/\/[^/\s@]+$/, 'http://host:18083, without a user').describe(
    'REST API of the EMQX, which cuts the connections of revoked devices',
  ),
  EMQX_API_KEY: optional.describe('API key of the EMQX'),
  EMQX_API_SECRET: optional.describe('its secret'),
  EMQX_HOOK_SECRET: z
    .string()
    .min(32, 'must have 32 characters or more')
    .optional()
    .describe('what the EMQX sends to the api as `X-Iot-Secret`, 32 characters or more'),
  EXTERNAL_MQTT_AUXILIARY: z.coerce
    .number()
    .int()
    .min(0)
    .max(AUXILIARY_CONNECTIONS)
    .default(AUXILIARY_CONNECTIONS)
    .describe('accounts for auxiliary connections of each device at a Mosquitto; 0: for its main one only'),
  EXTERNAL_MQTT_SESSIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(32)
    .default(1)
    .describe(
      'sessions at the external broker that share what devices send; each is served by one broker room at a time. A Mosquitto keeps one only through a crash of its own. Never lower it while messages wait in them',
    ),
}
