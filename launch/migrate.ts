/** `npm run migrate`: prepares the database like `npm start`, for installations that run the rooms as services. */
import { readEnv } from '#infra/env'
import { migrateDatabase, recordKey } from '#infra/migrate'
import { openDatabase } from '#infra/postgres'
import { failStart, findDatabaseUrl } from '#infra/run-room'
import { seedAdmin, seedFirstCustomer, seedRoles } from './seed.ts'

try {
  const env = readEnv()
  const url = findDatabaseUrl(env)
  let password: string | null = null
  await migrateDatabase(url, env.DATABASE_URL ? undefined : env.DATA_DIR, async () => {
    await recordKey(url, env)
    const { sql, close } = openDatabase(url, { max: 1, applicationName: 'iot-migrate' })
    await seedRoles(sql)
    await seedFirstCustomer(sql)
    password = await seedAdmin(sql, env.ADMIN_PASSWORD)
    await close()
  })
  process.stdout.write(password ? `migrated; user admin  password ${password}  (shown once)\n` : 'migrated\n')
  process.exit(0)
} catch (error) {
  failStart(error)
}
