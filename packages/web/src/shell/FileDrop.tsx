/** A file that is dropped anywhere on the page but on the message field is opened as a recording. */
import { useEffect, useState } from "react";

export interface FileDropProps {
  readonly onFile: (file: File) => void;
}

export function FileDrop({ onFile }: FileDropProps) {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    function onDragOver(event: DragEvent): void {
      const isFile = event.dataTransfer?.types.includes("Files") ?? false;
      // The message field takes what is dropped on it.
      setIsOver(isFile && !event.defaultPrevented);
      if (isFile) event.preventDefault();
    }
    function onDragLeave(event: DragEvent): void {
      // Only on leaving the window is there nothing that is entered.
      if (event.relatedTarget === null) setIsOver(false);
    }
    function onDrop(event: DragEvent): void {
      setIsOver(false);
      const [file] = event.dataTransfer?.files ?? [];
      if (!file || event.defaultPrevented) return;
      event.preventDefault();
      onFile(file);
    }
    window.addEventListener("dragover", onDragOver);
    window.addEventListener("dragleave", onDragLeave);
    window.addEventListener("drop", onDrop);
    return () => {
      window.removeEventListener("dragover", onDragOver);
      window.removeEventListener("dragleave", onDragLeave);
      window.removeEventListener("drop", onDrop);
    };
  }, [onFile]);
  if (!isOver) return null;
  return <p className="drop-hint">Drop the file to open it as a recording</p>;
}
