#ifndef CCRYPTO_H
#define CCRYPTO_H

#include <stddef.h>
#include <stdint.h>

/// Computes the HMAC-SHA224 of a message: 28 bytes. The key has at most 64 bytes. Returns whether it
/// was computed.
int firn_hmac_sha224(
    const uint8_t *key, size_t key_count, const uint8_t *message, size_t message_count,
    uint8_t *code);

/// Decrypts AES-256-CBC without padding. The count is a multiple of 16; `from` and `to` do not
/// overlap. Returns whether it was decrypted.
int firn_aes256_cbc_decrypt(
    const uint8_t key[32], const uint8_t vector[16], const uint8_t *from, uint8_t *to,
    size_t count);

#endif
