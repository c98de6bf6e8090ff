uniform float alpha, beta;  // R = alpha d + beta
uniform vec2 sideScale;     // multipliers of R: near, far

// Rounded as elsewhere: the kind of a highlight hangs on it.
float signedRadius(float d) {
  precise float product = alpha * d;
  precise float r = product + beta;
  return r * (r < 0.0 ? sideScale.x : sideScale.y);
}
