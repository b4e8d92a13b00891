int firn_platform_unused;
