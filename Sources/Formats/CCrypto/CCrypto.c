// The functions below the provider interface of libcrypto: a static binary then contains the two
// algorithms and not the whole library, and nothing is initialized when a program starts.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "CCrypto.h"

#include <string.h>

#ifdef __APPLE__

#include <CommonCrypto/CommonCrypto.h>

int firn_hmac_sha224(
    const uint8_t *key, size_t key_count, const uint8_t *message, size_t message_count,
    uint8_t *code) {
    CCHmac(kCCHmacAlgSHA224, key, key_count, message, message_count, code);
    return 1;
}

int firn_aes256_cbc_decrypt(
    const uint8_t key[32], const uint8_t vector[16], const uint8_t *from, uint8_t *to,
    size_t count) {
    size_t moved = 0;
    CCCryptorStatus status = CCCrypt(
        kCCDecrypt, kCCAlgorithmAES, 0, key, 32, vector, from, count, to, count, &moved);
    return status == kCCSuccess && moved == count;
}

#else

#include <openssl/aes.h>
#include <openssl/sha.h>

/// The block of SHA-224 in bytes.
#define BLOCK 64

/// Hashes a padded key and a part, as both steps of an HMAC do.
static int hash(
    const uint8_t *key, size_t key_count, uint8_t pad, const uint8_t *part, size_t count,
    uint8_t *digest) {
    uint8_t block[BLOCK];
    memset(block, pad, BLOCK);
    for (size_t index = 0; index < key_count; index++) block[index] ^= key[index];
    SHA256_CTX context;
    return SHA224_Init(&context) && SHA224_Update(&context, block, BLOCK) &&
           SHA224_Update(&context, part, count) && SHA224_Final(digest, &context);
}

int firn_hmac_sha224(
    const uint8_t *key, size_t key_count, const uint8_t *message, size_t message_count,
    uint8_t *code) {
    uint8_t inner[SHA224_DIGEST_LENGTH];
    if (key_count > BLOCK) return 0;
    return hash(key, key_count, 0x36, message, message_count, inner) &&
           hash(key, key_count, 0x5c, inner, sizeof inner, code);
}

int firn_aes256_cbc_decrypt(
    const uint8_t key[32], const uint8_t vector[16], const uint8_t *from, uint8_t *to,
    size_t count) {
    AES_KEY schedule;
    uint8_t chained[16];
    if (count % 16 != 0 || AES_set_decrypt_key(key, 256, &schedule) != 0) return 0;
    memcpy(chained, vector, sizeof chained);
    AES_cbc_encrypt(from, to, count, &schedule, chained, AES_DECRYPT);
    return 1;
}

#endif
