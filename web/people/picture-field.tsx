/** A logo or an avatar: uploaded when selected, used when the form is saved. */
import { Button, Group, Input, Loader, Text } from '@mantine/core'
import { IconPhotoUp, IconTrash } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { IMAGE_MAX_BYTES, IMAGE_PATH, type ImagePurpose, uploadImage } from '#schema/people/image'
import { isCancelled } from '../kit/api.ts'
import { FileButton } from '../kit/form/file-button.tsx'
import type { Drawn } from '../kit/form/form-model.ts'
import { bytes } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { upload } from '../kit/transfer.ts'
import classes from './people.module.css'

/** The id in an image's URL, for the form that edits its row. */
export const imageIdOf = (url: string | null) => url?.slice(IMAGE_PATH.length) ?? ''

export const pictureField = (purpose: ImagePurpose) =>
  function PictureField({ label, required, error, value, set }: Drawn) {
    const [busy, setBusy] = useState(false)
    const [refused, setRefused] = useState<string | null>(null)
    const frame = useRef<HTMLDivElement>(null)
    // A form that is sent while the picture is on its way waits for it: it would be saved without it, and tell of success.
    const isSent = useRef(false)
    useEffect(() => {
      const form = frame.current?.closest('form')
      if (!busy) {
        if (isSent.current && refused === null) form?.requestSubmit()
        isSent.current = false
        return
      }
      const hold = (event: Event) => {
        event.preventDefault()
        event.stopPropagation()
        isSent.current = true
      }
      form?.addEventListener('submit', hold, { capture: true })
      return () => form?.removeEventListener('submit', hold, { capture: true })
    }, [busy, refused])
    const take = async (file: File) => {
      setRefused(null)
      if (file.size > IMAGE_MAX_BYTES)
        return setRefused(t('user:picture.tooLarge', { max: bytes(IMAGE_MAX_BYTES) }))
      setBusy(true)
      try {
        set((await upload(uploadImage, { purpose }, file, () => undefined)).imageId)
      } catch (failure) {
        if (!isCancelled(failure)) setRefused(failure instanceof Error ? failure.message : String(failure))
      }
      setBusy(false)
    }
    return (
      <Input.Wrapper
        ref={frame}
        label={label}
        withAsterisk={required}
        labelElement="div"
        description={t('user:picture.hint', { max: bytes(IMAGE_MAX_BYTES) })}
        error={refused ?? error}
      >
        <Group gap={12} my={6} wrap="nowrap">
          <div className={classes['picture']} data-purpose={purpose}>
            {busy ? (
              <Loader size="sm" />
            ) : value ? (
              <img src={`${IMAGE_PATH}${String(value)}`} alt={label} />
            ) : (
              <Text size="xs" c="dimmed">
                {t('user:picture.none')}
              </Text>
            )}
          </div>
          <FileButton onChange={(file) => void take(file)} accept="image/png,image/jpeg">
            {(props) => (
              <Button
                {...props}
                variant="default"
                size="xs"
                leftSection={<IconPhotoUp size={16} stroke={1.5} />}
                loading={busy}
              >
                {t(value ? 'user:picture.replace' : 'user:picture.choose')}
              </Button>
            )}
          </FileButton>
          {value ? (
            <Button
              variant="subtle"
              color="gray"
              size="xs"
              leftSection={<IconTrash size={16} stroke={1.5} />}
              onClick={() => set('')}
            >
              {t('user:picture.remove')}
            </Button>
          ) : null}
        </Group>
      </Input.Wrapper>
    )
  }
