/**
 * Recordings that were opened, kept in the browser's database so that a reload and the way back find them. They
 * never leave the browser; the oldest go when there are many.
 */
import { isFields } from "@callboard/run-log/values";

export interface KeptRecording {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

const mostKept = 8;
const storeName = "recordings";

/** Ids rise with the time of opening. */
export function newRecordingId(now: number): string {
  return now.toString(36).padStart(10, "0");
}

export async function keepRecording(recording: KeptRecording): Promise<void> {
  const store = await openRecordings("readwrite");
  await databaseAnswerOf(store.put(recording));
  const ids = await databaseAnswerOf(store.getAllKeys());
  for (const id of ids.slice(0, Math.max(0, ids.length - mostKept))) store.delete(id);
}

export async function keptRecording(id: string): Promise<KeptRecording | undefined> {
  const store = await openRecordings("readonly");
  const kept: unknown = await databaseAnswerOf(store.get(id));
  if (!isFields(kept)) return undefined;
  const { name, text } = kept;
  return typeof name === "string" && typeof text === "string" ? { id, name, text } : undefined;
}

export async function forgetRecording(id: string): Promise<void> {
  const store = await openRecordings("readwrite");
  await databaseAnswerOf(store.delete(id));
}

async function openRecordings(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const asked = window.indexedDB.open("callboard", 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore(storeName, { keyPath: "id" });
  const database = await databaseAnswerOf(asked);
  const transaction = database.transaction(storeName, mode);
  transaction.oncomplete = () => database.close();
  return transaction.objectStore(storeName);
}

function databaseAnswerOf<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the browser gave no reason"));
  });
}
