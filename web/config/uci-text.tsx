import { Button, Group, Textarea } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useState } from 'react'
import { FileButton } from '../kit/form/file-button.tsx'
import { t } from '../kit/i18n.ts'
import { textOfFile } from '../kit/list/csv.ts'

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
  const [notText, setNotText] = useState(false)
  const choose = async (file: File) => {
    const text = await textOfFile(file)
    setNotText(text === null)
    if (text !== null) onChange(text)
  }
  return (
    <>
      <Textarea
        label={t('config:import.text')}
        description={t('config:import.hint')}
        placeholder={t('config:import.example')}
        value={value}
        onChange={(event) => {
          setNotText(false)
          onChange(event.currentTarget.value)
        }}
        error={notText ? t('config:import.notText') : error}
        minRows={8}
        maxRows={20}
        autosize
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', whiteSpace: 'pre' } }}
      />
      <Group>
        <FileButton onChange={(file) => void choose(file)}>
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
