interface AgentToolBlockUpdateParams {
  id: string;
  name: string;
  parameters: string;            // Now supports partial JSON during streaming
  parametersChunk?: string;      // New field for incremental parameter updates
  compactParams?: string;        // Updated in real-time during streaming
  result?: string;
  success?: boolean;
  error?: string;
  stage: 'start' | 'streaming' | 'running' | 'end';
  shortResult?: string;
  images?: string[];
}

export type { AgentToolBlockUpdateParams };
