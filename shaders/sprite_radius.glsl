uniform float alpha, beta;  // R = alpha d + beta
uniform vec2 sideScale;     // multipliers of R: near, far

float signedRadius(float d) {
  float r = alpha * d + beta;
  return r * (r < 0.0 ? sideScale.x : sideScale.y);
}
