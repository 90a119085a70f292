import type { AgentToolBlockUpdateParams } from "../../index.js";

function handleToolUpdate(params: AgentToolBlockUpdateParams) {
  switch (params.stage) {
    case 'start':
      console.log(`Starting tool: ${params.name}`);
      console.log(`Parameters: ${params.parameters}`);
      break;
    case 'streaming':
      if (params.parametersChunk) {
        console.log(`Parameter chunk: ${params.parametersChunk}`);
      }
      if (params.result) {
        console.log(`Result chunk: ${params.result}`);
      }
      break;
    case 'running':
      console.log('Tool is still running...');
      break;
    case 'end':
      if (params.error) {
        console.error(`Failed: ${params.error}`);
      } else {
        console.log(`Result: ${params.result}`);
      }
      break;
  }
}

// NEW (stage-based)
function newHandler(params: AgentToolBlockUpdateParams) {
  switch (params.stage) {
    case 'start':
      console.log(`Starting: ${params.name} with params: ${params.parameters}`);
      break;
    case 'streaming':
      if (params.parametersChunk) {
        console.log(`Param chunk: ${params.parametersChunk}`);
      }
      if (params.result) {
        console.log(`Result chunk: ${params.result}`);
      }
      break;
    case 'running':
      console.log('Still running...');
      break;
    case 'end':
      console.log(params.error ? `Failed: ${params.error}` : `Done: ${params.result}`);
      break;
  }
}

export { handleToolUpdate, newHandler };
