-- New entries of the search wait in a list that every search reads whole, before they are sorted into the index. By
-- default it grows to 4 MB, whoever wrote the entries. So a search would cost what others wrote a moment ago.
alter index cx_search_words set (gin_pending_list_limit = 256);
