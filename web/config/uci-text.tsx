import { Button, Group, Textarea } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { FileButton } from '../kit/form/file-button.tsx'
import { t } from '../kit/i18n.ts'

/** A router's `uci export`: pasted, or read from a file. `error`: with the line that was refused. */
export function UciText({
  value,
  onChange,
  error,
}: {
  value: string
  onChange: (text: string) => void
  error: string | null
}) {
  return (
    <>
      <Textarea
        label={t('config:import.text')}
        description={t('config:import.hint')}
        placeholder={t('config:import.example')}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
        minRows={8}
        maxRows={20}
        autosize
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', whiteSpace: 'pre' } }}
      />
      <Group>
        <FileButton onChange={(file) => void file.text().then(onChange)}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconFileImport size={16} stroke={1.5} />}>
              {t('config:import.file')}
            </Button>
          )}
        </FileButton>
      </Group>
    </>
  )
}
