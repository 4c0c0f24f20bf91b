import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { declaredScreens } from './declared-screens.ts'
import { declaredModules, declaredValues } from './declared-values.ts'
import { compressed, textsBesideTheScript } from './first-visit.ts'

/** `npm run dev`: all requests except the console's own files go to the API. */
const api = process.env['API_URL'] ?? `http://127.0.0.1:${process.env['HTTP_PORT'] ?? '8080'}`

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [
    declaredScreens(),
    declaredModules(),
    declaredValues(),
    react(),
    textsBesideTheScript(),
    compressed(),
  ],
  build: {
    outDir: fileURLToPath(new URL('./dist', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy forbids data: fonts and scripts; small images stay files too.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // One file for each step of loading a list: thirty small ones would cost thirty round trips on a slow
        // connection.
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 4 },
            { name: 'shell', test: /\/web\/shell\/(routes|page-host)\.tsx$/, priority: 3 },
            { name: 'list', test: /\/web\/kit\/list\/list-view\.tsx$/, priority: 2 },
            { name: 'icons', test: /\/esm\/icons\//, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': api, '/files': api, '/images': api, '/mqtt': { target: api, ws: true } },
  },
})
