import { Kbd, Text } from '@mantine/core'
import { Modal } from '../kit/dialog.tsx'
import { t } from '../kit/i18n.ts'
import { shortcuts } from '../kit/shortcuts.ts'
import { COMMAND } from './command-key.ts'
import classes from './shell.module.css'

type Line = { keys: readonly string[]; label: string }

/** Keys with the same label share a line: J K. */
function here(): Line[] {
  const lines = Map.groupBy(shortcuts(), ({ label }) => label)
  return [...lines].map(([label, keys]) => ({
    keys: keys.map(({ key }) => key.toUpperCase()),
    label: t(label),
  }))
}

const everywhere = (): Line[] => [
  { keys: [`${COMMAND} K`], label: t('shell:shortcuts.palette') },
  { keys: ['/'], label: t('shell:shortcuts.search') },
  { keys: [`${COMMAND} F`], label: t('shell:shortcuts.find') },
  { keys: ['Esc'], label: t('shell:shortcuts.escape') },
  { keys: ['?'], label: t('shell:shortcuts.sheet') },
]

function Lines({ title, lines }: { title: string; lines: readonly Line[] }) {
  if (lines.length === 0) return null
  return (
    <section>
      <h3 className={classes['keysTitle']}>{title}</h3>
      <dl className={classes['keys']}>
        {lines.map(({ keys, label }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** The shortcuts of the visible page, and the global ones. */
export const ShortcutsSheet = ({ onClose }: { onClose: () => void }) => (
  <Modal opened onClose={onClose} title={t('shell:shortcuts.title')}>
    <Lines title={t('shell:shortcuts.here')} lines={here()} />
    <Lines title={t('shell:shortcuts.everywhere')} lines={everywhere()} />
    <Text size="xs" c="dimmed" mt="sm">
      {t('shell:shortcuts.typing')}
    </Text>
  </Modal>
)
