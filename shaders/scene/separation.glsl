// Minimum separation of the second depth layer from the first, as a fraction of the depth (Mara et al. 2016, "Deep
// G-buffers for stable global illumination approximation"). Without it, the back of a near wall would be the second
// layer and hide the background that shows through the blur of the wall.
const float kSeparation = 0.07f;
