declare module 'onnxruntime-node' {
  export * from 'onnxruntime-common';
}
