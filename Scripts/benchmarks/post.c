/* The least that a program can do to post a reply: what one answer in a process of its own is measured against. */
#include <curl/curl.h>

int main(int count, char **words) {
    if (count != 3 || curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return 2;
    CURL *easy = curl_easy_init();
    struct curl_slist *fields = curl_slist_append(NULL, "Content-Type: application/json");
    curl_easy_setopt(easy, CURLOPT_URL, words[1]);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, words[2]);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT, 10L);
    long status = 0;
    CURLcode code = curl_easy_perform(easy);
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    curl_slist_free_all(fields);
    curl_easy_cleanup(easy);
    curl_global_cleanup();
    return code == CURLE_OK && status == 200 ? 0 : 1;
}
