// The one header that Swift sees of libcurl (Debian: libcurl4-openssl-dev), with typed doors to its variadic calls.
#pragma once
#include <curl/curl.h>

typedef size_t (*curl_door_callback)(char *, size_t, size_t, void *);

static inline CURLcode curl_set_long(CURL *handle, CURLoption option, long value) { return curl_easy_setopt(handle, option, value); }
static inline CURLcode curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) { return curl_easy_setopt(handle, option, value); }
static inline CURLcode curl_set_string(CURL *handle, CURLoption option, const char *value) { return curl_easy_setopt(handle, option, value); }
static inline CURLcode curl_set_pointer(CURL *handle, CURLoption option, const void *value) { return curl_easy_setopt(handle, option, value); }
static inline CURLcode curl_set_callback(CURL *handle, CURLoption option, curl_door_callback value) { return curl_easy_setopt(handle, option, value); }
static inline CURLcode curl_set_open_socket(CURL *handle, curl_opensocket_callback value) { return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, value); }
static inline CURLcode curl_set_prereq(CURL *handle, curl_prereq_callback value) { return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, value); }
static inline CURLcode curl_get_long(CURL *handle, CURLINFO info, long *value) { return curl_easy_getinfo(handle, info, value); }
static inline CURLcode curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) { return curl_easy_getinfo(handle, info, value); }
static inline CURLcode curl_get_pointer(CURL *handle, CURLINFO info, void *value) { return curl_easy_getinfo(handle, info, value); }
static inline CURLMcode curl_multi_set_long(CURLM *multi, CURLMoption option, long value) { return curl_multi_setopt(multi, option, value); }
