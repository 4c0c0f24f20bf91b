import { z } from 'zod'
import { command } from '#schema/kit/command'
import { secret } from '#schema/kit/field'
import { permission } from '#schema/kit/permission'
import { deviceTime } from '#schema/kit/time'

export const deviceBackupPermission = permission({
  id: 1415,
  name: 'deviceBackup',
  role: 'operator',
  under: 'device-list',
})

export const uploadBackup = command({
  name: 'uploadBackup',
  permission: deviceBackupPermission,
  summary:
    'Packs its configuration into a .tar.gz and sends it with HTTP PUT (content type application/gzip, basic authentication) to `url`. 201 or 200: kept. 4xx: give up; otherwise retry. Then `done`, with size and SHA-256 of what was sent.',
  args: z.object({
    backupId: z.uuid(),
    url: z.url({ protocol: /^https?$/ }).max(1000),
    username: z.string().max(64),
    password: secret(z.string().max(64)),
    expiresAt: deviceTime,
    maxBytes: z.int().min(1),
  }),
  reply: z.object({
    sizeBytes: z.int().min(1),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  deadlineS: 300,
  repeatSafe: true,
  verify: 'reply',
  effect: 'harmless',
  confirm: 'none',
  platformOnly: true,
  exampleArgs: {
    backupId: '0198a7c5-0000-7cc2-9b1e-1d5a4c0f2b55',
    url: 'https://iot.example.com/files/backup/0198a7c5-0000-7cc2-9b1e-1d5a4c0f2b55?expires=1795227360000&sig=x',
    username: 'SN-0001',
    password: 'd8Yb0n2pX4cVq7RkLm1sTf5hWz9uEaJg',
    expiresAt: 1795227360000,
    maxBytes: 4_194_304,
  },
  exampleReply: {
    sizeBytes: 18_233,
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
})
