// (1 - cosine)^5 of Schlick's approximation of Fresnel reflection, as a spherical Gaussian (Karis 2013).
float schlickWeight(float cosine) { return exp2((-5.55473 * cosine - 6.98316) * cosine); }
