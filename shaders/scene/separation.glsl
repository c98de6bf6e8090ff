// Between a surface and the next one, in parts of the depth. The inner side of a near wall would hide what shows through the
// blur of the wall (minimum separation; Mara and others 2016, "Deep G-buffers for stable global illumination approximation").
const float kSeparation = 0.07f;
