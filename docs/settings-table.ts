/** The settings table of the README and `.env.example`, from infra/settings.ts. */
import { settings } from '#infra/settings'
import { jsonSchema, table } from './fields.ts'

function rows(): { name: string; value: string; meaning: string }[] {
  return Object.entries(jsonSchema(settings).properties ?? {}).map(([name, schema]) => ({
    name,
    value: schema.default === undefined ? '' : String(schema.default),
    meaning: settings.shape[name as keyof typeof settings.shape].description ?? '',
  }))
}

export const settingsTable = () =>
  table(
    ['Setting', 'Default', 'Meaning'],
    rows().map(({ name, value, meaning }) => [`\`${name}\``, value && `\`${value}\``, meaning]),
  )

export const envExample = () =>
  `# Every setting with its default. Settings are read from the environment: take away the # and hand the file to\n# systemd (EnvironmentFile), docker compose (env_file), or the shell (set -a; . ./.env; set +a).\n# A value with spaces or with characters such as & ; # $ belongs in single quotes: all three take them away.\n\n${rows()
    .map(({ name, value, meaning }) => `# ${meaning}\n#${name}=${value}\n`)
    .join('\n')}`
